import { describe, expect, it } from 'vitest'
import { parseTemplate } from './template.ts'

function render(source: string, data: unknown = {}): string {
  const template = parseTemplate(source)
  if (template.problem !== undefined) return `parse: ${template.problem.message}`
  const rendered = template.render(data)
  return rendered.problem === undefined ? rendered.text : `render: ${rendered.problem.message}`
}

describe('templates', () => {
  it.each([
    ['plain text', 'hello', {}, 'hello'],
    ['a field', '{{.name}}-{{.n}}', { name: 'ann', n: 3 }, 'ann-3'],
    ['a missing field', '{{.none}}', {}, '<no value>'],
    ['null', '{{.x}}', { x: null }, '<no value>'],
    ['a member of a missing field', '{{.a.b.c}}', {}, '<no value>'],
    ['nested fields', '{{.a.b}}', { a: { b: 1.5 } }, '1.5'],
    ['a field of the prototype', '{{.constructor}}{{.__proto__}}', {}, '<no value><no value>'],
    ['a comment', 'a{{/* {{.x}} */}}b', {}, 'ab'],
    ['trim markers', 'a \n {{- .x -}} \n b', { x: 1 }, 'a1b'],
    ['a negative number beside a brace', '{{-3}}', {}, '-3'],
    ['a comment with trim markers', 'a {{- /* c */ -}} b', {}, 'ab'],
    ['a raw text', '{{`a"b\\n`}}', {}, 'a"b\\n'],
    ['escapes in a text', '{{"\\u00e9\\x41\\t\\""}}', {}, 'éA\t"'],
    ['a character', "{{'a'}}", {}, '97'],
    ['numbers in other bases', '{{0x10}} {{0b11}} {{017}} {{1_000}} {{1e3}}', {}, '16 3 15 1000 1000'],
    ['braces in a text', '{{"}}"}}', {}, '}}'],
  ])('print %s', (_, source, data, text) => {
    expect(render(source, data)).toBe(text)
  })

  it.each([
    [1234567, '1.234567e+06'],
    [123456, '123456'],
    [0.00001, '1e-05'],
    [0.0001, '0.0001'],
    [-2.5, '-2.5'],
    [1e21, '1e+21'],
    [0, '0'],
    [true, 'true'],
    [[1, 'a', null, [2]], '[1 a <nil> [2]]'],
    [{ b: 1, a: { c: 'x' } }, 'map[a:map[c:x] b:1]'],
  ])('print the JSON value %j as %s', (x, text) => {
    expect(render('{{.x}}', { x })).toBe(text)
  })

  it.each([
    ['if', '{{if .a}}yes{{else}}no{{end}}', { a: 0 }, 'no'],
    ['else if', '{{if .a}}a{{else if .b}}b{{else}}c{{end}}', { b: 'x' }, 'b'],
    ['with', '{{with .a}}{{.b}}{{else}}none{{end}}', { a: { b: 1 } }, '1'],
    ['else with', '{{with .a}}a{{else with .b}}{{.}}{{end}}', { b: 2 }, '2'],
    ['range over a list', '{{range .l}}<{{.}}>{{end}}', { l: [1, 2] }, '<1><2>'],
    ['range over a map, sorted', '{{range $k, $v := .m}}{{$k}}={{$v}};{{end}}', { m: { b: 2, a: 1 } }, 'a=1;b=2;'],
    ['range with indexes', '{{range $i, $v := .l}}{{$i}}{{$v}}{{end}}', { l: ['a', 'b'] }, '0a1b'],
    ['range over a missing field', '{{range .none}}x{{else}}empty{{end}}', {}, 'empty'],
    ['range over a number', '{{range 3}}{{.}}{{end}}', {}, '012'],
    [
      'break and continue',
      '{{range .l}}{{if eq . 2.0}}{{continue}}{{end}}{{if eq . 4.0}}{{break}}{{end}}{{.}}{{end}}',
      { l: [1, 2, 3, 4, 5] },
      '13',
    ],
    ['the root in a loop', '{{range .l}}{{$.x}}{{end}}', { l: [1, 2], x: 'r' }, 'rr'],
    ['variables', '{{$x := .a}}{{if true}}{{$x = 2}}{{$y := 3}}{{$y}}{{end}}{{$x}}', { a: 1 }, '32'],
    ['a variable of its block', '{{$x := 1}}{{if true}}{{$x := 2}}{{$x}}{{end}}{{$x}}', {}, '21'],
    ['members of variables', '{{$x := .a}}{{$x.b.c}}', { a: { b: { c: 'd' } } }, 'd'],
    ['members of parentheses', '{{(index .l 0).n}}', { l: [{ n: 7 }] }, '7'],
    [
      'define and template',
      '{{define "t"}}[{{.}}]{{end}}{{template "t" .x}}{{template "t"}}',
      { x: 1 },
      '[1][<no value>]',
    ],
    ['block', '{{block "b" .x}}<{{.}}>{{end}}', { x: 1 }, '<1>'],
    [
      'a recursive template',
      '{{define "t"}}{{.v}}{{with .next}},{{template "t" .}}{{end}}{{end}}{{template "t" .}}',
      { v: 1, next: { v: 2 } },
      '1,2',
    ],
  ])('run %s', (_, source, data, text) => {
    expect(render(source, data)).toBe(text)
  })

  it.each([
    ['and, or, not', '{{and 1 0}} {{or 0 "x"}} {{not true}} {{and true .none}}', {}, '0 x false <no value>'],
    ['and without evaluating further arguments', '{{and false (index .l 9)}}', { l: [] }, 'false'],
    [
      'comparisons',
      '{{eq 1 2 1}} {{ne "a" "b"}} {{lt 1 2}} {{le 2 2}} {{gt "b" "a"}} {{ge 1.5 2}}',
      {},
      'true true true true true false',
    ],
    ['floats and whole numbers', '{{eq .n 3}} {{lt .n 4}}', { n: 3 }, 'true true'],
    ['len, in bytes for texts', '{{len .l}} {{len .m}} {{len "é"}}', { l: [1, 2], m: { a: 1 } }, '2 1 2'],
    ['index', '{{index .m "a" 1}} {{index .m "none"}}', { m: { a: [1, 2] } }, '2 <no value>'],
    ['slice', '{{slice .l 1 2}} {{slice "abcd" 1 3}}', { l: [1, 2, 3] }, '[2] bc'],
    ['print', '{{print 1 2 "a" 3 "b"}}', {}, '1 2a3b'],
    ['println', '{{println "a" 1}}', {}, 'a 1\n'],
    [
      'html, js, urlquery',
      `{{html "<a&'>"}} {{js "it's <b>"}} {{urlquery "a b&c"}}`,
      {},
      "&lt;a&amp;&#39;&gt; it\\'s \\u003Cb\\u003E a+b%26c",
    ],
    ['pipes', '{{.n | printf "%05.1f|%s" 2.5}}', { n: 'x' }, '002.5|x'],
    ['upper, default, replace', '{{.n | default "none" | upper | replace "O" "0"}}', {}, 'N0NE'],
    ['jsonMarshal', '{{. | jsonMarshal}}', { b: [1, null, 'x<'], a: 1234567 }, '{"a":1234567,"b":[1,null,"x\\u003c"]}'],
    [
      'xmlMarshal',
      '{{. | xmlMarshal}}',
      { u: { '-id': '1', n: ['a', 'b'], '#text': 't<' } },
      '<u id="1">t&lt;<n>a</n><n>b</n></u>',
    ],
  ])('have %s', (_, source, data, text) => {
    expect(render(source, data)).toBe(text)
  })

  it.each([
    ['%d', '3', '3'],
    ['%d', '.n', '%!d(float64=3)'],
    ['%5d|', '42', '   42|'],
    ['%-5d|', '42', '42   |'],
    ['%05d', '-42', '-0042'],
    ['%x %X %o %b %c %U', '255 255 8 5 65 65', 'ff FF 10 101 A U+0041'],
    ['%s %q %v', '"a" "b" "c"', 'a "b" c'],
    ['%.2f %e %g', '1.005 1234.5 1e9', '1.00 1.234500e+03 1e+09'],
    ['%6.2f|%+d', '3.14159 5', '  3.14|+5'],
    ['%t %T', 'true .l', 'true []interface {}'],
    ['%v', '.none', '<nil>'],
    ['%d %s', '1', '1 %!s(MISSING)'],
    ['%d', '1 "x"', '1%!(EXTRA string=x)'],
    ['%[2]d %[1]d', '1 2', '2 1'],
    ['%*d', '4 7', '   7'],
    ['100%%', '', '100%'],
    ['%d', '"hi"', '%!d(string=hi)'],
    ['%z', '1', '%!z(int=1)'],
    ['%', '', '%!(NOVERB)'],
    ['%x', '"hé"', '68c3a9'],
  ])('format %j with %s', (format, args, text) => {
    expect(render(`{{printf ${JSON.stringify(format)} ${args}}}`, { n: 3, l: [] })).toBe(text)
  })

  it.each([
    ['{{', 'line 1, column 1: unclosed action'],
    ['a\n  {{if}}x{{end}}', 'line 2, column 3: missing value in if'],
    ['{{if .x}}a', 'line 1, column 1: unclosed {{if}}'],
    ['{{end}}', 'line 1, column 1: unexpected {{end}}'],
    ['{{.x | 1}}', 'line 1, column 8: non executable command in pipeline stage 2'],
    ['{{nope .x}}', 'line 1, column 3: function "nope" not defined'],
    ['{{$x}}', 'line 1, column 3: undefined variable "$x"'],
    ['{{break}}', 'line 1, column 1: {{break}} outside {{range}}'],
    ['{{/* x }}', 'line 1, column 1: unclosed comment'],
    ['{{"a}}', 'line 1, column 3: unterminated quoted string'],
    ['{{(.x}}', 'line 1, column 1: missing value in parenthesized pipeline'],
    ['{{.x .y)}}', 'line 1, column 8: unexpected ")" in command'],
    ['{{1a}}', 'line 1, column 3: bad number syntax near 1'],
    ['{{else}}', 'line 1, column 1: unexpected {{else}}'],
    ['{{template .x}}', 'line 1, column 12: unexpected ".x" in template clause'],
  ])('report the syntax error in %j', (source, message) => {
    expect(render(source)).toBe(`parse: ${message}`)
  })

  it.each([
    ['{{.s.x}}', "line 1, column 3: can't evaluate field x in type string"],
    ['a{{index .l 5}}', 'line 1, column 4: index out of range: 5'],
    ['{{template "none"}}', 'line 1, column 1: template "none" not defined'],
    ['{{lt .s 1}}', 'line 1, column 3: incompatible types for comparison: string and int'],
    ['{{len .n}}', 'line 1, column 3: len of type float64'],
    ['{{.s 1}}', "line 1, column 3: can't give argument to non-function"],
    ['{{div 1 0}}', 'line 1, column 3: integer divide by zero'],
    ['{{fail "no"}}', 'line 1, column 3: no'],
    ['{{range .s}}{{end}}', "line 1, column 9: range can't iterate over text"],
    ['{{upper}}', 'line 1, column 3: wrong number of args for upper: want 1 got 0'],
  ])('report the runtime error in %j', (source, message) => {
    expect(render(source, { s: 'text', l: [1], n: 3 })).toBe(`render: ${message}`)
  })

  it.each([
    ['an endless recursion', '{{define "t"}}{{template "t"}}{{end}}{{template "t"}}'],
    ['loops in loops', '{{range until 10000}}{{range until 10000}}{{end}}{{end}}'],
    ['a text that doubles', '{{$x := "xx"}}{{range until 100}}{{$x = print $x $x}}{{end}}'],
    ['a list that doubles', '{{$x := list 1}}{{range until 60}}{{$x = list $x $x}}{{end}}{{$x}}'],
    ['a wide field', '{{range until 100000}}{{printf "%99999d" 1}}{{end}}'],
    ['a giant repetition', '{{repeat 999999999999 "x"}}'],
    ['a giant list', '{{until 999999999999}}'],
    ['a map in itself', '{{$d := dict}}{{$e := set $d "a" $d}}{{$d}}'],
    ['a map in itself as JSON', '{{$d := dict}}{{$e := set $d "a" $d}}{{toJson $d}}'],
    ['a deep list', '{{$x := list}}{{range until 100000}}{{$x = list $x}}{{end}}{{$x}}'],
  ])('abort %s', (_, source) => {
    expect(render(source)).toMatch(/^render: .*(too much|too long|maximum)/)
  })

  it('cannot set a prototype', () => {
    expect(render('{{$x := set .m "__proto__" .p}}{{.m.y}}{{$x.__proto__.y}}', { m: {}, p: { y: 1 } })).toBe(
      '<no value>1',
    )
    expect(({} as Record<string, unknown>)['y']).toBeUndefined()
  })
})

it('the default limit stops a rendering before it blocks the event loop noticeably', () => {
  const parsed = parseTemplate('{{range .list}}{{range $.list}}x{{end}}{{end}}')
  if (parsed.problem !== undefined) throw new Error(parsed.problem.message)
  const render = (length: number) => parsed.render({ list: Array.from({ length }, () => 1) })
  expect(render(200)).toMatchObject({ text: 'x'.repeat(40_000) })
  expect(render(500).problem?.message).toContain('the template does too much work')
})
