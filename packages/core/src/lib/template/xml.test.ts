import { describe, expect, it } from 'vitest'
import { Budget, defaultLimits } from './budget.ts'
import { maxXmlValues, readXml } from './read-xml.ts'
import { writeJson } from './write-json.ts'
import { writeXml } from './write-xml.ts'

const budget = () => new Budget(defaultLimits)
const read = (source: string) => {
  const result = readXml(source)
  return result.problem === undefined ? writeJson(result.value, budget()) : `problem: ${result.problem}`
}

describe('XML for templates', () => {
  it.each([
    ['<u><name>bo</name></u>', '{"u":{"name":"bo"}}'],
    ['<u/>', '{"u":""}'],
    ['<l><i>1</i><i>2</i><i/></l>', '{"l":{"i":["1","2",""]}}'],
    ['<a id="1" x=\'2\'>t</a>', '{"a":{"#text":"t","-id":"1","-x":"2"}}'],
    ['<?xml version="1.0"?>\n<!-- c --><!DOCTYPE a>\n<a>\n <b> x </b>\n</a>', '{"a":{"b":"x"}}'],
    ['<a><![CDATA[<&>]]></a>', '{"a":"\\u003c\\u0026\\u003e"}'],
    ['<a>&lt;&#65;&#x42;&amp;</a>', '{"a":"\\u003cAB\\u0026"}'],
    ['<a b="&#x1f642;x">&amp;lt;&#x4A;</a>', '{"a":{"#text":"\\u0026lt;J","-b":"🙂x"}}'],
    ['<n:a xmlns:n="u"><n:b>1</n:b></n:a>', '{"n:a":{"-xmlns:n":"u","n:b":"1"}}'],
    ['<a>1<b>2</b>3</a>', '{"a":{"#text":"13","b":"2"}}'],
  ])('%s is %s', (source, json) => {
    expect(read(source)).toBe(json)
  })

  it('has a limited number of elements and attributes', () => {
    const list = (length: number) => `<l>${'<i/>'.repeat(length)}</l>`
    expect(readXml(list(maxXmlValues - 1)).problem).toBeUndefined()
    expect(readXml(list(maxXmlValues)).problem).toBe(`exceeded max number of ${maxXmlValues} values`)
    expect(readXml(`<l ${'a="" '.repeat(maxXmlValues)}/>`).problem).toBe(
      `exceeded max number of ${maxXmlValues} values`,
    )
  })

  it('counts no equals signs outside of tags', () => {
    const many = 'a=b&amp;'.repeat(maxXmlValues)
    for (const source of [`<a>${many}</a>`, `<a><!--${many}--><![CDATA[<${many}]]></a>`, `<a b="${many}"/>`]) {
      expect(readXml(source).problem).toBeUndefined()
    }
  })

  it('counts attributes after values that contain a bracket or a quote', () => {
    const attributes = (length: number) => Array.from({ length }, (_, i) => ` a${i} = '>"'`).join('')
    expect(readXml(`<l${attributes(maxXmlValues - 1)}/>`).problem).toBeUndefined()
    expect(readXml(`<l${attributes(maxXmlValues)}/>`).problem).toBe(`exceeded max number of ${maxXmlValues} values`)
  })

  it.each([
    '',
    'text',
    '<a>',
    '<a></b>',
    '</a>',
    '<a><b></a></b>',
    '<a',
    '<a b></a>',
    '<a/><b/>',
    '<a>&none;</a>',
    '<a b="&none;"/>',
    '<a>1 & 2</a>',
    '<a>&#x110000;</a>',
    ...['', '#', '#x', '#12a', '#xg', '#12345678', '#X41', 'toString', ' amp'].map((name) => `<a>&${name};</a>`),
    ...['<a>&amp</a>', '<a>&ampX</a>', '<a>&#65X</a>', '<a b="&ltx"/>', '<a>&lt;&ampX</a>'],
    '<!-- ',
    '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    '<a>'.repeat(100_000),
  ])('an invalid document is reported as a problem (%#)', (source) => {
    expect(read(source)).toMatch(/^problem: /)
  })

  it('survives writing and reading', () => {
    for (const source of ['<u><name>bo</name></u>', '<a id="1"><b>&lt;</b><b/></a>', '<a/>']) {
      const result = readXml(source)
      expect(result.problem === undefined && writeXml(result.value, budget())).toBe(source)
    }
  })

  it('stays well-formed with any names and texts in the data', () => {
    expect(writeXml(new Map([['a b><x', '<y>']]), budget())).toBe('<a_b__x>&lt;y&gt;</a_b__x>')
    expect(
      writeXml(
        new Map<string, unknown>([
          ['a', 1],
          ['b', [1, 2]],
        ]),
        budget(),
      ),
    ).toBe('<doc><a>1</a><b>1</b><b>2</b></doc>')
  })
})
