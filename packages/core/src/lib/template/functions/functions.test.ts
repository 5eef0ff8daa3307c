import { describe, expect, it } from 'vitest'
import { parseTemplate } from '../template.ts'
import { excludedFunctions } from './excluded.ts'
import { templateFunctions } from './functions.ts'

/** 2024-05-06T07:08:09.120Z */
const now = 1_714_979_289_120
let uuids = 0
const sources = {
  now: () => now,
  // A different, valid UUID for each call.
  uuid: () => `${String(++uuids).padStart(12, '0')}4a3f9c07b5e${String(uuids * 7919).padStart(9, '8')}`,
}

function render(source: string, data: unknown = {}): string {
  const template = parseTemplate(source)
  if (template.problem !== undefined) return `parse: ${template.problem.message}`
  const rendered = template.render(data, { sources })
  return rendered.problem === undefined ? rendered.text : `render: ${rendered.problem.message}`
}

/** The names in the documentation of the library (masterminds.github.io/sprig) and of Go's text/template. */
const documented = `
  and or not eq ne lt le gt ge len index slice print printf println html js urlquery call
  hello ago date date_in_zone date_modify dateInZone dateModify duration durationRound htmlDate htmlDateInZone
  must_date_modify mustDateModify mustToDate now toDate unixEpoch
  abbrev abbrevboth trunc trim upper lower title untitle substr repeat trimall trimAll trimSuffix trimPrefix nospace
  initials randAlphaNum randAlpha randAscii randNumeric swapcase shuffle snakecase camelcase kebabcase wrap wrapWith
  contains hasPrefix hasSuffix quote squote cat indent nindent replace plural
  sha1sum sha256sum sha512sum adler32sum toString
  atoi int64 int float64 seq toDecimal split splitList splitn toStrings until untilStep
  add1 add sub div mod mul randInt add1f addf subf divf mulf biggest max min maxf minf ceil floor round
  join sortAlpha default empty coalesce all any compact mustCompact
  fromJson toJson toPrettyJson toRawJson mustFromJson mustToJson mustToPrettyJson mustToRawJson
  ternary deepCopy mustDeepCopy typeOf typeIs typeIsLike kindOf kindIs deepEqual env expandenv getHostByName
  base dir clean ext isAbs osBase osClean osDir osExt osIsAbs b64enc b64dec b32enc b32dec
  tuple list dict get set unset hasKey pluck keys pick omit merge mergeOverwrite mustMerge mustMergeOverwrite values
  append push mustAppend mustPush prepend mustPrepend first mustFirst rest mustRest last mustLast initial mustInitial
  reverse mustReverse uniq mustUniq without mustWithout has mustHas mustSlice concat dig chunk mustChunk
  bcrypt htpasswd genPrivateKey derivePassword buildCustomCert genCA genCAWithKey genSelfSignedCert
  genSelfSignedCertWithKey genSignedCert genSignedCertWithKey encryptAES decryptAES randBytes
  uuidv4 semver semverCompare fail
  regexMatch mustRegexMatch regexFindAll mustRegexFindAll regexFind mustRegexFind regexReplaceAll mustRegexReplaceAll
  regexReplaceAllLiteral mustRegexReplaceAllLiteral regexSplit mustRegexSplit regexQuoteMeta urlParse urlJoin
  jsonMarshal xmlMarshal
`
  .trim()
  .split(/\s+/)

describe('documented functions', () => {
  it('exist, or are excluded with a reason', () => {
    // The evaluator implements `and` and `or`.
    const known = ['and', 'or', ...Object.keys(templateFunctions), ...Object.keys(excludedFunctions)]
    expect(documented.filter((name) => !known.includes(name))).toEqual([])
    expect(Object.keys(excludedFunctions).filter((name) => !documented.includes(name))).toEqual([])
    expect(Object.keys(excludedFunctions).filter((name) => name in templateFunctions)).toEqual([])
  })

  it('that are excluded say why', () => {
    expect(render('{{bcrypt "x"}}')).toBe(
      'parse: line 1, column 3: function "bcrypt" is not available: it computes so long that other requests would wait',
    )
    expect(render('{{"a" | getHostByName}}')).toContain('"getHostByName" is not available: it would call a name server')
  })
})

describe('dates', () => {
  it.each([
    ['{{dateInZone "2006-01-02T15:04:05.999Z07:00" now "UTC"}}', '2024-05-06T07:08:09.12Z'],
    ['{{date_in_zone "Mon Jan _2 3:04PM 06 -0700 MST" now "America/New_York"}}', 'Mon May  6 3:08AM 24 -0400 EDT'],
    ['{{dateInZone "Monday, 02-Jan-2006 002 .000" now "Asia/Kolkata"}}', 'Monday, 06-May-2024 127 .120'],
    ['{{dateInZone "2006-01-02 15:04" now "No/Where"}}', '2024-05-06 07:08'],
    ['{{dateInZone "2006" (int64 0) "UTC"}}', '1970'],
    ['{{dateInZone "2006" .text "UTC"}}', '2024'],
    ['{{toDate "2006-01-02" "2017-12-31" | date "02/01/2006"}}', '31/12/2017'],
    ['{{toDate "2006-01-02" "2017-12-31"}}', '2017-12-31 00:00:00 +0000 UTC'],
    ['{{toDate "2006-01-02" "never"}}', '0001-01-01 00:00:00 +0000 UTC'],
    ['{{mustToDate "2006-01-02" "never"}}', 'render: line 1, column 3: cannot parse "never" as "2006-01-02"'],
    ['{{toDate "Jan 2, 2006 at 3:04pm (MST)" "Feb 3, 2013 at 7:54pm (PST)"}}', '2013-02-03 19:54:00 +0000 PST'],
    ['{{(toDate "2006-01-02T15:04:05Z07:00" "2024-05-06T07:08:09.5+02:00").UTC}}', '2024-05-06 05:08:09.5 +0000 UTC'],
    ['{{mustToDate "2006-01-02" "2023-02-29"}}', 'render: line 1, column 3: cannot parse "2023-02-29" as "2006-01-02"'],
    ['{{htmlDateInZone (int64 86400) "UTC"}} {{htmlDate (toDate "2006" "2021") | len}}', '1970-01-02 10'],
    ['{{now | unixEpoch}} {{now.Unix}} {{(now).UTC.Year}}', '1714979289 1714979289 2024'],
    ['{{(toDate "2006" "2021").Format "06|Jan"}}', '21|Jan'],
    ['{{now | date_modify "-1.5h" | unixEpoch}}', '1714973889'],
    ['{{now | dateModify "soon" | unixEpoch}}', '1714979289'],
    ['{{now | mustDateModify "soon"}}', 'render: line 1, column 9: invalid duration "soon"'],
    ['{{ago (int64 1714970049)}} {{ago now}}', '2h34m0s 0s'],
    ['{{duration "95"}} {{duration "3661"}} {{duration "x"}}', '1m35s 1h1m1s 0s'],
    ['{{durationRound "2h10m5s"}} {{durationRound "2400h10m5s"}} {{durationRound "300ms"}}', '2h 3mo 0s'],
    ['{{toJson (toDate "2006" "2021")}} {{kindOf now}} {{typeOf now}}', '"2021-01-01T00:00:00Z" struct time.Time'],
  ])('%s gives %j', (source, text) => {
    expect(render(source, { text: 'x' })).toBe(text)
  })

  it('need the time of the gateway', () => {
    const template = parseTemplate('{{now}}')
    expect(template.problem ?? template.render({}).problem?.message).toContain('the time is not available here')
  })
})

describe('texts, numbers and encodings', () => {
  it.each([
    ['{{hello}}', 'Hello!'],
    ['{{trimall "$" "$5.00$"}}', '5.00'],
    ['{{abbrevboth 5 10 "1234 5678 9123"}}', '...5678...'],
    ['{{wrapWith 5 "\\t" "Hello World"}}', 'Hello\tWorld'],
    ['{{wrapWith 3 "-" "abcdefgh ij"}}', 'abc-def-gh-ij'],
    ['{{wrap 3 "abcdefgh ij"}}', 'abcdefgh\nij'],
    [
      '{{seq 5}}|{{seq -3}}|{{seq 0 2}}|{{seq 2 -2}}|{{seq 0 2 10}}|{{seq 0 -2 -5}}|{{seq}}',
      '1 2 3 4 5|1 0 -1 -2 -3|0 1 2|2 1 0 -1 -2|0 2 4 6 8 10|0 -2 -4|',
    ],
    ['{{toDecimal "0777"}} {{toDecimal "8"}}', '511 0'],
    ['{{add1f 1.5}} {{maxf 1 2.5 2}} {{minf 1.5 2}} {{biggest 1 3 2}}', '2.5 2.5 1.5 3'],
    ['{{sha1sum "Hello world!"}}', 'd3486ae9136e7856bc42212385ea797094475802'],
    ['{{sha256sum "Hello world!"}}', 'c0535e4be2b79ffd93291305436bf889314e4a3faec05ecffcbb7df31ad9e51a'],
    ['{{sha512sum "" | trunc 16}}', 'cf83e1357eefb8bd'],
    ['{{adler32sum "Wikipedia"}}', '300286872'],
    ['{{b32enc "foob"}} {{b32dec "MZXW6YQ="}} {{b32dec "a"}}', 'MZXW6YQ= foob illegal base32 data'],
    ['{{toRawJson .}} {{toJson .}}', '{"a":"<&>"} {"a":"\\u003c\\u0026\\u003e"}'],
    ['{{regexQuoteMeta "1.2.3"}} {{mustRegexMatch "^a" "ab"}}', '1\\.2\\.3 true'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of groups
    ['{{mustRegexReplaceAll "a(x*)b" "-ab-axxb-" "${1}W"}}', '-W-xxW-'],
    [
      '{{mustRegexMatch "(" "a"}}',
      'render: line 1, column 3: error parsing regexp: error parsing regexp: missing closing ): `(`',
    ],
    ['{{call .a}}', 'render: line 1, column 3: non-function of type string'],
  ])('%s gives %j', (source, text) => {
    expect(render(source, { a: '<&>' })).toBe(text)
  })
})

describe('lists and maps', () => {
  it.each([
    ['{{chunk 3 (list 1 2 3 4 5 6 7 8)}}', '[[1 2 3] [4 5 6] [7 8]]'],
    ['{{mustFirst .l}} {{mustRest .l}} {{mustLast .l}} {{mustInitial .l}}', '1 [2 3] 3 [1 2]'],
    [
      '{{mustAppend .l 4}} {{mustPrepend .l 0}} {{mustReverse .l}} {{push .l 9}}',
      '[1 2 3 4] [0 1 2 3] [3 2 1] [1 2 3 9]',
    ],
    ['{{mustUniq (list 1 1 2)}} {{mustWithout .l 2}} {{mustHas 4 .l}} {{mustSlice .l 1 3}}', '[1 2] [1 3] false [2 3]'],
    ['{{mustCompact (tuple 1 0 "")}}', '[1]'],
    [
      '{{$d := dict "a" (dict "x" 1 "y" 2) "k" true}}{{$s := dict "a" (dict "x" 9 "z" 3) "k" false "n" 1}}{{merge $d $s}}',
      'map[a:map[x:1 y:2 z:3] k:true n:1]',
    ],
    [
      '{{$d := dict "a" (dict "x" 1 "y" 2) "k" true}}{{$s := dict "a" (dict "x" 9) "k" false}}{{mustMergeOverwrite $d $s}}',
      'map[a:map[x:9 y:2] k:false]',
    ],
    ['{{$c := deepCopy .m}}{{$x := set $c.o "b" 2}}{{.m}} {{$c}}', 'map[o:map[b:1]] map[o:map[b:2]]'],
    ['{{deepEqual (list 1 2) (list 1 2)}} {{deepEqual .m .l}} {{typeIsLike "int" 1}}', 'true false true'],
  ])('%s gives %j', (source, text) => {
    expect(render(source, { l: [1, 2, 3], m: { o: { b: 1 } } })).toBe(text)
  })
})

describe('paths, URLs and versions', () => {
  it.each([
    ['{{base "foo/bar/baz"}} {{base "/a/"}} {{base ""}} {{base "//"}}', 'baz a . /'],
    ['{{dir "foo/bar/baz"}} {{osDir "/a"}} {{dir "a"}}', 'foo/bar / .'],
    ['{{clean "foo/bar/../baz"}} {{osClean "/../a//./b"}} {{clean "../.."}}', 'foo/baz /a/b ../..'],
    ['{{ext "foo.bar"}} {{osExt "a.b/c"}}| {{isAbs "/a"}} {{osIsAbs "a"}}', '.bar | true false'],
    [
      '{{urlParse "http://admin:secret@server.com:8080/api?list=false#anchor"}}',
      'map[fragment:anchor host:server.com:8080 hostname:server.com opaque: path:/api query:list=false scheme:http userinfo:admin:secret]',
    ],
    ['{{(urlParse "mailto:a@b.c").opaque}} {{(urlParse "http://[::1]:80/a%20b").path}}', 'a@b.c /a b'],
    ['{{urlParse "%zz"}}', 'render: line 1, column 3: unable to parse URL: "%zz"'],
    [
      '{{urlJoin (dict "fragment" "fragment" "host" "host:80" "path" "/path" "query" "query" "scheme" "http")}}',
      'http://host:80/path?query#fragment',
    ],
    [
      '{{with semver "1.2.3-alpha.1+123"}}{{.Major}} {{.Minor}} {{.Patch}} {{.Prerelease}} {{.Metadata}} {{.Original}}{{end}}',
      '1 2 3 alpha.1 123 1.2.3-alpha.1+123',
    ],
    ['{{semver "1.4.3" | (semver "1.2.3").Compare}} {{semver "v1.2"}}', '-1 1.2.0'],
    ['{{semver "one"}}', 'render: line 1, column 3: Invalid Semantic Version: "one"'],
    ['{{semverCompare ">>1" "1.2.3"}}', 'render: line 1, column 3: improper constraint: ">>1"'],
  ])('%s gives %j', (source, text) => {
    expect(render(source)).toBe(text)
  })

  it.each([
    ['1.2.3', '1.2.3', true],
    ['^1.2.0', '1.2.3', true],
    ['^1.2.0', '2.0.0', false],
    ['^0.2.3', '0.3.0', false],
    ['^2.x', '2.9.0', true],
    ['>= 1.2, < 3.0.0 || >= 4.2.3', '4.2.3', true],
    ['>= 1.2, < 3.0.0 || >= 4.2.3', '3.5.0', false],
    ['>=1 <2', '1.5.0', true],
    ['1.2 - 1.4.5', '1.4.6', false],
    ['2.3.4 - 4.5', '4.5.9', true],
    ['1.2.x', '1.3.0', false],
    ['<= 2.x', '2.7.0', true],
    ['> 1.2', '1.2.9', false],
    ['*', '0.0.1', true],
    ['~1.2.3', '1.3.0', false],
    ['~1', '1.9.0', true],
    ['!=1.2.3', '1.2.4', true],
    ['>1.2.3', '1.2.4-beta', false],
    ['>1.2.3-alpha.1', '1.2.3-alpha.2', true],
  ])('semverCompare %s %s is %s', (constraint, version, expected) => {
    expect(render('{{semverCompare .c .v}}', { c: constraint, v: version })).toBe(String(expected))
  })
})

describe('random functions', () => {
  it.each([
    ['{{randAlphaNum 40}}', /^[0-9A-Za-z]{40}$/],
    ['{{randAlpha 9}}', /^[A-Za-z]{9}$/],
    ['{{randNumeric 3}}', /^\d{3}$/],
    ['{{randAscii 99}}', /^[ -~]{99}$/],
    ['{{randBytes 16}}', /^[0-9A-Za-z+/]{22}==$/],
    ['{{uuidv4}}', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
    ['{{randInt 12 14}}', /^1[23]$/],
    ['{{randInt 3 3}}', /^render: .*randInt needs a range/],
    ['{{randAlpha -1}}', /^render: .*cannot be negative/],
  ])('%s has its form', (source, pattern) => {
    expect(render(source)).toMatch(pattern)
  })

  it('shuffle keeps the letters', () => {
    expect([...render('{{shuffle "hello"}}')].sort().join('')).toBe('ehllo')
  })

  it('differ between calls', () => {
    expect(render('{{eq (randAlphaNum 20) (randAlphaNum 20)}}')).toBe('false')
  })
})

describe('functions have a limit of work', () => {
  it.each([
    '{{seq 99999999999}}',
    '{{randAlphaNum 99999999999}}',
    '{{randBytes 99999999999}}',
    '{{wrapWith 1 (repeat 100000 "x") (repeat 100000 "y")}}',
    '{{range until 100000}}{{dateInZone "2006" now "Asia/Tokyo"}}{{end}}',
    '{{range until 100000}}{{sha512sum (repeat 1000 "x")}}{{end}}',
    '{{$d := dict}}{{$e := set $d "a" $d}}{{deepCopy $d}}',
    '{{$d := dict}}{{$e := set $d "a" $d}}{{$f := dict}}{{$e := set $f "a" $f}}{{merge $d $f}}',
  ])('%s is aborted', (source) => {
    expect(render(source)).toMatch(/^render: .*(too much|maximum)/)
  })
})

describe('the case of a text', () => {
  it.each([
    ['upper', 'hello', 'HELLO'],
    ['lower', 'HELLO', 'hello'],
    ['title', 'hello world', 'Hello World'],
    ['untitle', 'Hello World', 'hello world'],
    ['swapcase', 'This Is A.Test', 'tHIS iS a.tEST'],
    ['camelcase', 'http_server', 'HttpServer'],
    ['snakecase', 'FirstName', 'first_name'],
    ['kebabcase', 'FirstName', 'first-name'],
    ['initials', 'First Try', 'FT'],
  ])('%s %s', (name, text, result) => {
    expect(render(`{{${name} "${text}"}}`)).toBe(result)
  })
})
