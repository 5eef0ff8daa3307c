import { describe, expect, it } from 'vitest'
import { checkExtension } from './check-extension.ts'

const documentOf = (extension: object) => ({
  file: 'a-oas.json',
  text: JSON.stringify({ openapi: '3.0.3', 'x-svc-api-gateway': extension }),
  problem: undefined,
})
const fieldsOf = (extension: object) =>
  checkExtension(documentOf(extension), { vendor: 'svc' }).map(
    ({ severity, field }) => `${severity} ${field.replace(/^.*?api-gateway"?\]?\.?/, '')}`,
  )

describe('the extension of a document', () => {
  it('has no findings if everything in it is supported', () => {
    expect(fieldsOf({ info: { name: 'a' }, server: { listenPath: { value: '/a/' } } })).toEqual([])
  })

  it('is an error where the document has streams', () => {
    const streams = { tick: { input: { http_server: { path: '/in' } } } }
    const text = JSON.stringify({ 'x-svc-streaming': { streams }, 'x-svc-api-gateway': {} })
    expect(checkExtension({ ...documentOf({}), text }, { vendor: 'svc' })).toMatchObject([
      { severity: 'error', field: 'x-svc-streaming', reason: 'has no effect: streams are not supported', line: 1 },
    ])
    const empty = JSON.stringify({ 'x-svc-streaming': {}, 'x-svc-api-gateway': {} })
    expect(checkExtension({ ...documentOf({}), text: empty }, { vendor: 'svc' })).toEqual([])
  })

  it('is noted where a member is only stored', () => {
    expect(fieldsOf({ info: { name: 'a', dbId: 'x' } })).toEqual(['note info.dbId'])
  })

  it.each<[object, string, string]>([
    [{ server: { authentication: { securitySchemes: { key: { heder: {} } } } } }, 'heder', 'did you mean "header"?'],
    [{ upstream: { loadBalancing: { targets: [{ url: 'u', weigth: 1 }] } } }, 'weigth', 'did you mean "weight"?'],
    [{ middleware: { global: { cors: { enable: true } } } }, 'enable', 'did you mean "enabled"?'],
    [{ middleware: { operations: { get: { cache: { timeuot: 1 } } } } }, 'timeuot', 'did you mean "timeout"?'],
    [{ middleware: { operations: { get: { blok: {} } } } }, 'blok', 'did you mean "block"?'],
    [{ middleware: { mcpTools: { t: { blok: {} } } } }, 'blok', 'did you mean "block"?'],
    [{ middleware: { globl: {} } }, 'globl', 'did you mean "global"?'],
    [{ server: { listenpath: { value: '/a/' } } }, 'listenpath', 'did you mean "listenPath"?'],
  ])('misspelt members are reported at every depth, with the nearest name: %j', (extension, name, fix) => {
    const document = documentOf(extension)
    const [finding, ...others] = checkExtension(document, { vendor: 'svc' })
    expect(others).toEqual([])
    expect(finding).toMatchObject({ severity: 'warning', fix, ineffective: true, line: 1 })
    expect(finding?.field).toMatch(new RegExp(`${name}$`))
    expect(document.text.slice((finding?.column ?? 0) - 1)).not.toBe('')
  })

  it('is warned of rates of less than a second, which limit nothing', () => {
    const rateLimit = { enabled: true, rate: 10, per: '500ms' }
    expect(fieldsOf({ upstream: { rateLimit }, middleware: { operations: { get: { rateLimit } } } })).toEqual([
      'warning upstream.rateLimit.per',
      'warning middleware.operations.get.rateLimit.per',
    ])
    expect(fieldsOf({ upstream: { rateLimit: { ...rateLimit, per: '1s' } } })).toEqual([])
  })

  it('is an error with strict', () => {
    const document = documentOf({ middleware: { globl: {} } })
    expect(checkExtension(document, { vendor: 'svc', strict: true })).toMatchObject([{ severity: 'error' }])
  })

  it('is reported where a member has no effect, or is not known', () => {
    expect(
      fieldsOf({
        upstream: { ulr: 'http://u' },
        middleware: {
          global: { cors: { enabled: true, debug: true } },
          operations: { get: { postPlugins: [{ enabled: true, functionName: 'f' }] } },
        },
      }),
    ).toEqual([
      'warning middleware.global.cors.debug',
      'error middleware.operations.get.postPlugins',
      'warning upstream.ulr',
    ])
  })

  it('is left to the check of the definition if the document cannot be read', () => {
    expect(checkExtension({ file: 'a-oas.json', text: '{', problem: undefined }, { vendor: 'svc' })).toEqual([])
    expect(checkExtension({ file: 'a-oas.json', text: undefined, problem: 'missing' }, { vendor: 'svc' })).toEqual([])
  })
})
