/**
 * The test suite for implementations of the port `ScriptRuntime`: helpers, limits, isolation, messages. It runs in real
 * time, because scripts are stopped by a real clock.
 */
import type { ScriptProblem } from '@turnpike/core/lib'
import type { ScriptCall, ScriptRuntime, ScriptScope, ScriptScopeOptions } from '@turnpike/core/ports'
import { afterAll, describe, expect, it } from 'vitest'

interface Opened {
  readonly scope: ScriptScope
  /** Runs a global function without arguments and returns its text; rejects if it failed. */
  run(name: string, args?: readonly unknown[]): Promise<string>
  /** Resolves to why a call failed. */
  problem(name: string, kind?: ScriptCall['kind']): Promise<string>
  readonly problems: Promise<readonly ScriptProblem[]>
}

type Options = Partial<Pick<ScriptScopeOptions, 'timeoutMs' | 'vendor'>> & {
  readonly run?: ScriptScopeOptions['host']['run']
  readonly more?: ScriptScopeOptions['sources']
}

/** Declares the suite under the adapter's name. `make` gets limits that its tests exceed. */
export function scriptSuite(
  name: string,
  make: (limits: { readonly memoryBytes: number; readonly stackBytes: number }) => ScriptRuntime,
): void {
  const runtime = make({ memoryBytes: 16 * 1024 * 1024, stackBytes: 256 * 1024 })
  afterAll(() => runtime.close())

  const open = (text: string, { timeoutMs = 20_000, vendor = 'Svc', run, more = [] }: Options = {}): Opened => {
    let loaded: (problems: readonly ScriptProblem[]) => void = () => undefined
    const problems = new Promise<readonly ScriptProblem[]>((resolve) => {
      loaded = resolve
    })
    const scope = runtime.open({
      sources: [{ name: 'scripts/main.js', text }, ...more],
      timeoutMs,
      vendor,
      host: { run: run ?? (() => undefined), loaded },
    })
    const call = (kind: ScriptCall['kind'], script: string, args: readonly unknown[]) =>
      scope.call({ kind, name: script, args: JSON.stringify(args), dry: false })
    return {
      scope,
      problems,
      async run(script, args = []) {
        const { value, problem } = await call('function', script, args)
        if (problem !== undefined || value === undefined) throw new Error(problem ?? 'nothing returned')
        return value
      },
      problem: async (script, kind = 'function') => (await call(kind, script, [])).problem ?? 'it did not fail',
    }
  }

  describe(`scripts: ${name}`, () => {
    it('run a function with arguments and return its text', async () => {
      const { run } = open('function join(list, more) { return list.join("-") + more.a }')
      expect(await run('join', [['x', 'æ'], { a: '😀' }])).toBe('x-æ😀')
    })

    it('find globals of all sources, also those that const and class declare', async () => {
      const more = [{ name: 'scripts/second.js', text: 'const second = () => first() + "2"' }]
      const { run } = open('function first() { return "1" }', { more })
      expect(await run('second')).toBe('12')
    })

    it('begin each call with the state after the sources', async () => {
      const { run } = open(
        'var n = 0; var list = []; function next() { n++; list.push(n); return n + "," + list.length }',
      )
      expect([await run('next'), await run('next'), await run('next')]).toEqual(['1,1', '1,1', '1,1'])
    })

    it('see only the globals of their own scope', async () => {
      const one = open('var mine = "one"; function report() { return mine }')
      const two = open('function report() { return typeof mine }')
      expect([await one.run('report'), await two.run('report')]).toEqual(['one', 'undefined'])
    })

    it('have no access to the machine', async () => {
      const names = ['require', 'process', 'setTimeout', 'fetch', 'XMLHttpRequest', 'WebAssembly', 'os', 'std']
      const { run } = open(`function report() { return [${names.map((one) => `typeof ${one}`).join()}].join() }`)
      expect(await run('report')).toBe(names.map(() => 'undefined').join())
    })

    it('run the objects of stages, responses and events', async () => {
      const { scope } = open(`
        var stage = new SvcJS.SvcMiddleware.NewMiddleware({ level: 3 })
        stage.NewProcessRequest(function (request) { return stage.ReturnData(request, { level: this.configuration.level }) })
        stage.NewProcessResponse(function (response) { return stage.ReturnResponse(response) })
        var handler = new SvcJS.SvcEventHandlers.NewEventHandler({})
        handler.NewHandler(function (event) { log(event.Type) })`)
      const call = (kind: ScriptCall['kind'], script: string, arg: object) =>
        scope.call({ kind, name: script, args: JSON.stringify([arg]), dry: false })
      expect((await call('request', 'stage', { URL: '/' })).value).toBe(
        '{"Request":{"URL":"/"},"SessionMeta":{"level":3}}',
      )
      expect((await call('response', 'stage', { Code: 200 })).value).toBe('{"Response":{"Code":200}}')
      expect((await call('event', 'handler', { Type: 'KeyExpired' })).logs).toEqual([
        { text: 'KeyExpired', raw: false },
      ])
    })

    it('have helpers under the vendor word and under Tyk', async () => {
      const { run } = open(
        'function both() { return AcmeJsResponse({ Code: 200 }, {}) + typeof TykJS.TykMiddleware }',
        {
          vendor: 'Acme',
        },
      )
      expect(await run('both')).toBe('{"Response":{"Code":200},"SessionMeta":{}}object')
    })

    it('encode and decode base64', async () => {
      const { run } = open(`function all() { return JSON.stringify([b64enc("é"), b64dec("w6k="), b64dec("w6k"),
        rawb64enc("é"), rawb64dec("w6k"), typeof rawb64dec("w6k="), typeof b64dec("*"), typeof b64dec("a")]) }`)
      expect(JSON.parse(await run('all'))).toEqual([
        'w6k=',
        'é',
        'é',
        'w6k',
        'é',
        'undefined',
        'undefined',
        'undefined',
      ])
    })

    it('return log lines with the result', async () => {
      const { scope } = open('function report() { log("one"); rawlog(2); return "" }')
      const { logs } = await scope.call({ kind: 'function', name: 'report', args: '[]', dry: false })
      expect(logs).toEqual([
        { text: 'one', raw: false },
        { text: '2', raw: true },
      ])
    })

    it('wait for helpers of the gateway', async () => {
      const calls: unknown[] = []
      const { run } = open(
        'function ask() { return SvcMakeHttpRequest("{}") + SvcGetKeyData("k", "a") + SvcSetKeyData("k", "s", "1") }',
        {
          async run(helper, args, dry) {
            await new Promise((resolve) => setTimeout(resolve, 5))
            calls.push([helper, args, dry])
            return helper === 'set-key' ? undefined : helper
          },
        },
      )
      expect(await run('ask')).toBe('http-requestget-keyundefined')
      expect(calls).toEqual([
        ['http-request', ['{}'], false],
        ['get-key', ['k', 'a'], false],
        ['set-key', ['k', 's', '1'], false],
      ])
    })

    it('give undefined if a helper fails', async () => {
      const { run } = open('function ask() { return typeof SvcMakeHttpRequest("{}") }', {
        run: () => Promise.reject(new Error('no')),
      })
      expect(await run('ask')).toBe('undefined')
    })

    it('name the place of an error in the file of the user', async () => {
      const { problem } = open('\nfunction broken() {\n  return missing.value\n}')
      expect(await problem('broken')).toMatch(/missing.* \(scripts\/main\.js:3:\d+\)$/)
    })

    it('fail if they are not defined or return no text', async () => {
      const { problem } = open('function number() { return 1 } function nothing() {} var object = {}')
      expect(await problem('absent')).toContain('not defined')
      expect(await problem('number')).toContain('no text')
      expect(await problem('nothing')).toContain('no text')
      expect(await problem('object', 'request')).toContain('NewProcessRequest')
      expect(await problem('alert(1)')).toContain('not a name')
    })

    it('are stopped after the time limit, in a loop and in a regular expression', async () => {
      const { problem, run } = open(
        `function loop() { for (;;) {} }
         function regexp() { return String(/(a+)+b/.test("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")) }
         function fine() { return "fine" }`,
        { timeoutMs: 300 },
      )
      expect(await problem('loop')).toContain('time limit')
      expect(await problem('regexp')).toContain('time limit')
      expect(await run('fine')).toBe('fine')
    })

    it('are stopped after the time limit while a helper runs', async () => {
      const { problem, run } = open(
        'function ask() { return SvcMakeHttpRequest("{}") } function fine() { return "fine" }',
        {
          timeoutMs: 300,
          run: () => new Promise(() => undefined),
        },
      )
      expect(await problem('ask')).toContain('time limit')
      expect(await run('fine')).toBe('fine')
    })

    it('fail beyond the limits of memory and stack, and the next call works', async () => {
      const { problem, run } = open(`
        function grow() { var all = []; for (;;) all.push(new Uint8Array(1000000)) }
        function deep() { return deep() + 1 }
        function fine() { return "fine" }`)
      expect(await problem('grow')).toMatch(/memory/)
      expect(await run('fine')).toBe('fine')
      expect(await problem('deep')).toMatch(/stack/)
      expect(await run('fine')).toBe('fine')
    })

    it('do not delay calls of another scope', async () => {
      const busy = open('function loop() { for (;;) {} }', { timeoutMs: 3000 })
      const other = open('function fine() { return "fine" }')
      expect(await other.run('fine')).toBe('fine')
      const stopped = busy.problem('loop')
      const before = Date.now()
      await other.run('fine')
      expect(Date.now() - before).toBeLessThan(2500)
      expect(await stopped).toContain('time limit')
    })

    it('report sources that do not parse, and read the others', async () => {
      const more = [{ name: 'scripts/typed.ts', text: 'const typed = (n: number): string => String(n as number)' }]
      const { problems, run } = open('this is no script', { more })
      expect(await run('typed', [4])).toBe('4')
      expect(await problems).toEqual([{ source: 'scripts/main.js', message: expect.stringContaining('main.js:1:') }])
    })

    it('finish calls that run when the scope is closed, and allow further ones', async () => {
      const { scope, run } = open('function fine() { return "fine" }')
      const running = run('fine')
      scope.close()
      expect(await running).toBe('fine')
      expect(await run('fine')).toBe('fine')
    })
  })
}
