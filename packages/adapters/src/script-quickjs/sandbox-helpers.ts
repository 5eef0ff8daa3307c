/**
 * The helpers of scripts, as source text for the sandbox (docs/reference/scripts.md#script-helpers). ECMAScript 5. The text is an
 * expression: a function that defines the globals and returns the function that runs a script by its name.
 *
 * Each name with the vendor word is also defined with `Tyk`, because scripts in base64 cannot be renamed.
 */
export const sandboxHelpers = `(function (vendor, native) {
  'use strict'
  var scope = globalThis
  var evaluate = scope.eval
  var parse = JSON.parse
  var stringify = JSON.stringify
  var identifier = /^[A-Za-z_$][\\w$]*(?:\\.[A-Za-z_$][\\w$]*)*$/
  var test = identifier.test.bind(identifier)

  function define(name, value) {
    Object.defineProperty(scope, name, { value: value, writable: true, enumerable: false, configurable: true })
  }
  function text(value) { return typeof value === 'string' ? value : String(value) }

  define('log', function log(value) { native('log', text(value)) })
  define('rawlog', function rawlog(value) { native('rawlog', text(value)) })
  define('console', Object.freeze({
    log: function () { native('log', Array.prototype.map.call(arguments, text).join(' ')) },
    info: function () { native('log', Array.prototype.map.call(arguments, text).join(' ')) },
    warn: function () { native('log', Array.prototype.map.call(arguments, text).join(' ')) },
    error: function () { native('log', Array.prototype.map.call(arguments, text).join(' ')) }
  }))
  define('b64enc', function b64enc(value) { return native('b64enc', text(value)) })
  define('b64dec', function b64dec(value) { return native('b64dec', text(value)) })
  define('rawb64enc', function rawb64enc(value) { return native('rawb64enc', text(value)) })
  define('rawb64dec', function rawb64dec(value) { return native('rawb64dec', text(value)) })

  function Middleware(configuration) { this.configuration = configuration }
  Middleware.prototype.NewProcessRequest = function (run) { this.ProcessRequest = run }
  Middleware.prototype.NewProcessResponse = function (run) { this.ProcessResponse = run }
  Middleware.prototype.ReturnData = function (request, meta) { return { Request: request, SessionMeta: meta } }
  Middleware.prototype.ReturnAuthData = function (request, session) { return { Request: request, Session: session } }
  Middleware.prototype.ReturnResponse = function (response) { return { Response: response } }
  function EventHandler(configuration) { this.configuration = configuration }
  EventHandler.prototype.NewHandler = function (run) { this.Handle = run }

  var functions = {
    JsResponse: function (response, meta) { return stringify({ Response: response, SessionMeta: meta }) },
    MakeHttpRequest: function (request) {
      return request === undefined ? undefined : native('http-request', text(request))
    },
    BatchRequest: function (request) {
      return request === undefined ? undefined : native('batch-request', text(request))
    },
    GetKeyData: function (key, apiId) {
      return native('get-key', text(key), apiId === undefined ? '' : text(apiId))
    },
    SetKeyData: function (key, session, keep) {
      native('set-key', text(key), text(session), text(keep))
    }
  }
  var words = vendor === 'Tyk' ? ['Tyk'] : [vendor, 'Tyk']
  words.forEach(function (word) {
    Object.keys(functions).forEach(function (name) { define(word + name, functions[name]) })
    var middleware = {}
    middleware.NewMiddleware = Middleware
    var handlers = {}
    handlers.NewEventHandler = EventHandler
    var objects = {}
    objects[word + 'Middleware'] = middleware
    objects[word + 'EventHandlers'] = handlers
    define(word + 'JS', objects)
  })

  /** Finds a global by name, also one that \`let\`, \`const\` or \`class\` declared. */
  function find(name) {
    if (!test(name)) throw new ReferenceError('"' + name + '" is not a name of a script')
    try { return evaluate(name) } catch (problem) {
      if (problem instanceof ReferenceError || problem instanceof TypeError) return undefined
      throw problem
    }
  }
  var members = { request: 'ProcessRequest', response: 'ProcessResponse', event: 'Handle' }
  var makers = { request: 'NewProcessRequest', response: 'NewProcessResponse', event: 'NewHandler' }

  return function run(kind, name, args) {
    var found = find(name)
    var values = parse(args)
    if (kind === 'function') {
      if (typeof found !== 'function') throw new ReferenceError('the function ' + name + ' is not defined')
      var returned = found.apply(undefined, values)
      if (typeof returned !== 'string') throw new TypeError(name + ' returned no text; use ' + vendor + 'JsResponse')
      return returned
    }
    var member = members[kind]
    if (found === undefined || found === null || typeof found[member] !== 'function') {
      throw new ReferenceError('the script ' + name + ' is not defined, or ' + makers[kind] + ' was not called')
    }
    return stringify(found[member].apply(found, values))
  }
})`
