import { describe, expect, it } from 'vitest'
import { checkExtension } from './check-extension.ts'

const documentOf = (extension: object) => ({
  file: 'a-oas.json',
  text: JSON.stringify({ openapi: '3.0.3', 'x-svc-api-gateway': extension }),
  problem: undefined,
})
const fieldsOf = (extension: object) =>
  checkExtension(documentOf(extension), 'svc').map(
    ({ severity, field }) => `${severity} ${field.replace(/^.*?api-gateway"?\]?\.?/, '')}`,
  )

describe('the extension of a document', () => {
  it('has no findings if everything in it is supported', () => {
    expect(fieldsOf({ info: { name: 'a', dbId: 'x' }, server: { listenPath: { value: '/a/' } } })).toEqual([])
  })

  it('is reported where a member has no effect, or is not known', () => {
    expect(
      fieldsOf({
        server: { detailedTracing: { enabled: true } },
        upstream: { ulr: 'http://u' },
        middleware: { operations: { get: { postPlugins: [{ enabled: true, functionName: 'f' }] } } },
      }),
    ).toEqual(['warning server.detailedTracing', 'error middleware.operations.get.postPlugins', 'warning upstream.ulr'])
  })

  it('is left to the check of the definition if the document cannot be read', () => {
    expect(checkExtension({ file: 'a-oas.json', text: '{', problem: undefined }, 'svc')).toEqual([])
    expect(checkExtension({ file: 'a-oas.json', text: undefined, problem: 'missing' }, 'svc')).toEqual([])
  })
})
