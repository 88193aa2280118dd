import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fromPlain } from '../sprig/plain.ts';
import { execute } from './execute.ts';
import { fn } from './function.ts';
import { int, int64 } from './go-value.ts';
import { Budget, LimitError } from './limits.ts';
import { TemplateSet } from './template-set.ts';

const functions = {
  add: fn('...any', (...all: { value: bigint }[]) => int64(all.reduce((sum, n) => sum + n.value, 0n))),
  upper: fn('string', (text: string) => text.toUpperCase()),
  repeat: fn('int string', (count: number, text: string) => text.repeat(count)),
};

const data = {
  s: 'text',
  n: 3,
  million: 1000000,
  list: ['a', 'b', 'c'],
  map: { b: 2, a: 1, nested: { x: 'deep' } },
  no: false,
  nothing: null,
};

function render(text: string, values: unknown = data, budget = new Budget()): string {
  const set = new TemplateSet(functions);
  set.parse('main', text);
  return execute(set, 'main', fromPlain(values), budget);
}

const outputs: Record<string, string> = {
  // text, comments, trim markers
  'plain text': 'plain text',
  'a {{/* c */}} b': 'a  b',
  'a {{- /* c */ -}} b': 'ab',
  'a  {{- "x" -}}  b': 'axb',
  'a {{ "x" -}}\n\n b': 'a xb',
  // literals
  '{{ 0x1F }} {{ 0b11 }} {{ 0o17 }} {{ 017 }} {{ 1_000 }} {{ 1e3 }} {{ 1.0 }}': '31 3 15 15 1000 1000 1',
  "{{ 'a' }} {{ '\\n' }} {{ 1i }} {{ 1+2i }}": '97 10 (0+1i) (1+2i)',
  '{{ "q\\"\\t\\u00e9" }} {{ `raw\\n` }}': 'q"\té raw\\n',
  '{{ true }} {{ false }}': 'true false',
  // fields, maps, missing values
  '{{ .s }} {{ .map.nested.x }}': 'text deep',
  '[{{ .missing }}] [{{ .map.missing }}] [{{ .nothing }}]': '[<no value>] [<no value>] [<no value>]',
  '{{ (.missing).deeper }}': '<no value>',
  '{{ .map }} {{ .list }}': 'map[a:1 b:2 nested:map[x:deep]] [a b c]',
  '{{ .million }} {{ .n }}': '1e+06 3',
  // pipelines, parentheses, variables
  '{{ .s | upper | printf "%s-%s" "a" }}': 'a-TEXT',
  '{{ (index .list 1) }}{{ (printf "%s" .s) | upper }}': 'bTEXT',
  '{{ $x := 1 }}{{ $x = 2 }}{{ $x }}': '2',
  '{{ $x := .map }}{{ $x.nested.x }}{{ $.s }}': 'deeptext',
  '{{ $x := 1 }}{{ if true }}{{ $x := 2 }}{{ $x = 3 }}{{ end }}{{ $x }}': '1',
  // control
  '{{ if .no }}a{{ else if .s }}b{{ else }}c{{ end }}': 'b',
  '{{ with .map }}{{ .a }}{{ end }}{{ with .no }}x{{ else with .s }}{{ . }}{{ end }}': '1text',
  '{{ with $v := .s }}{{ $v }}{{ . }}{{ end }}': 'texttext',
  '{{ range .list }}{{ . }},{{ end }}': 'a,b,c,',
  '{{ range $i, $e := .list }}{{ $i }}{{ $e }}{{ end }}': '0a1b2c',
  '{{ range $k, $v := .map }}{{ $k }}={{ $v }};{{ end }}': 'a=1;b=2;nested=map[x:deep];',
  '{{ range 3 }}{{ . }}{{ end }}{{ range $i := 2 }}{{ $i }}{{ end }}': '01201',
  '{{ range .missing }}x{{ else }}none{{ end }}': 'none',
  '{{ range .list }}{{ if eq . "b" }}{{ continue }}{{ end }}{{ . }}{{ end }}': 'ac',
  '{{ range .list }}{{ if eq . "b" }}{{ break }}{{ end }}{{ . }}{{ end }}': 'a',
  '{{ $last := "" }}{{ range $last = .list }}{{ end }}{{ $last }}': 'c',
  // templates
  '{{ define "t" }}<{{ . }}>{{ end }}{{ template "t" .s }}{{ template "t" }}': '<text><<no value>>',
  '{{ block "b" .list }}{{ index . 0 }}{{ end }}': 'a',
  // built-ins
  '{{ and 1 "" 2 }}|{{ or 0 "" "x" }}|{{ not 0 }}': '|x|true',
  '{{ or true (index .list 99) }}': 'true',
  '{{ eq .s "x" "text" }} {{ ne 1 2 }} {{ lt 1 2 }} {{ le 2 2 }} {{ gt "b" "a" }} {{ ge 1.5 1.0 }}':
    'true true true true true true',
  '{{ eq .missing nil }} {{ eq .nothing .missing }}': 'true true',
  '{{ len .list }} {{ len .map }} {{ len "é" }}': '3 3 2',
  '{{ index .map "nested" "x" }} {{ index "abc" 1 }} [{{ index .map "zz" }}]': 'deep 98 [<no value>]',
  '{{ slice .list 1 }} {{ slice "hello" 1 3 }}': '[b c] el',
  '{{ print 1 2 "x" 3 }} {{ println "a" 1 }}': '1 2x3 a 1\n',
  '{{ html "<a&\'>" }} {{ js "<\'\\n>" }} {{ urlquery "a b/é" }}':
    "&lt;a&amp;&#39;&gt; \\u003C\\'\\u000A\\u003E a+b%2F%C3%A9",
};

for (const [text, expected] of Object.entries(outputs)) {
  test(`renders ${text}`, () => assert.equal(render(text), expected));
}

const failures: Record<string, string> = {
  // parsing
  '{{ .s': 'template: main:1: unclosed action',
  '{{ if .s }}': 'unexpected EOF',
  'x{{ end }}': 'unexpected {{end}}',
  '{{ nope }}': 'function "nope" not defined',
  '{{ $x }}': 'undefined variable "$x"',
  '{{ "a }}': 'unterminated quoted string',
  '{{ (1 }}': 'unclosed left paren',
  '{{ break }}': '{{break}} outside {{range}}',
  '{{ .s | "x" }}': 'non executable command in pipeline stage 2',
  '{{ range $a, $b, $c := .list }}{{ end }}': 'too many declarations in range',
  '{{ define "t" }}a{{ end }}{{ define "t" }}b{{ end }}': 'multiple definition of template "t"',
  '{{ 08 }}': 'integer overflow: "08"',
  // execution
  '{{ .s.field }}':
    'template: main:1:5: executing "main" at <.s.field>: can\'t evaluate field field in type interface {}',
  '{{ .missing.field }}': 'nil pointer evaluating interface {}.field',
  '{{ .nothing.field }}': 'nil pointer evaluating interface {}.field',
  '{{ .s 1 }}': 's is not a method but has arguments',
  '{{ 1 2 }}': "can't give argument to non-function 1",
  '{{ nil }}': 'nil is not a command',
  '{{ upper 1 }}': 'expected string; found 1',
  '{{ upper .n }}': 'wrong type for value; expected string; got float64',
  '{{ upper .missing }}': 'wrong type for value; expected string; got interface {}',
  '{{ upper (.missing) }}': 'invalid value; expected string',
  '{{ upper }}': 'wrong number of args for upper: want 1 got 0',
  '{{ repeat 1.5 "x" }}': 'expected integer; found 1.5',
  '{{ eq .n 3 }}': 'error calling eq: incompatible types for comparison: float64 and int',
  '{{ eq .list .list }}': 'non-comparable type [a b c]: []interface {}',
  '{{ lt true false }}': 'invalid type for comparison',
  '{{ index .list 9 }}': 'error calling index: index out of range: 9',
  '{{ len 1 }}': 'len of type int',
  '{{ range .n }}{{ end }}': "range can't iterate over 3",
  '{{ range $i, $v := 3 }}{{ end }}': "can't use 3 to iterate over more than one variable",
  '{{ template "nope" }}': 'template "nope" not defined',
  '{{ call .s }}': 'non-function .s of type string',
  '{{ 9223372036854775808 }}': '9223372036854775808 overflows int',
};

for (const [text, message] of Object.entries(failures)) {
  test(`error: ${text}`, () => {
    assert.throws(
      () => render(text),
      (error: Error) => error.message.includes(message) || assert.fail(error.message),
    );
  });
}

test('positions are lines and bytes', () => {
  assert.throws(() => render('é\né {{ .s.x }}'), /template: main:2:8: executing "main" at <\.s\.x>/);
});

test('a later definition replaces an earlier one, unless it is empty', () => {
  const set = new TemplateSet({});
  set.parse('a', '{{ define "t" }}one{{ end }}');
  set.parse('b', '{{ define "t" }}two{{ end }}');
  set.parse('c', '{{ define "t" }} {{ end }}');
  set.parse('main', '{{ template "t" }}');
  assert.equal(execute(set, 'main', undefined), 'two');
});

test('a set sees the definitions of its parent, but not the reverse', () => {
  const parent = new TemplateSet({});
  parent.parse('a', '{{ define "t" }}parent{{ end }}');
  const child = new TemplateSet({}, parent);
  child.parse('main', '{{ template "t" }}{{ define "own" }}{{ end }}');
  assert.equal(execute(child, 'main', undefined), 'parent');
  assert.equal(parent.lookup('main'), undefined);
});

test('endless loops and endless output are stopped', () => {
  const budget = (limits: { steps?: number; size?: number; items?: number }): Budget =>
    new Budget({ steps: 10_000, size: 10_000, items: 100, ...limits });
  assert.throws(() => render('{{ range 1000000000 }}x{{ end }}', {}, budget({})), LimitError);
  assert.throws(
    () => render('{{ range 1000 }}{{ $.s }}{{ end }}', { s: 'x'.repeat(1000) }, budget({ size: 1000 })),
    LimitError,
  );
  assert.throws(() => render('{{ repeat 20000 "x" }}', {}, budget({})), LimitError);
  assert.throws(() => render('{{ define "t" }}{{ template "t" }}{{ end }}{{ template "t" }}'), Error);
  const doubling = `{{ $x := "xxxxxxxx" }}${'{{ $x = print $x $x }}'.repeat(60)}{{ $x }}`;
  assert.throws(() => render(doubling), LimitError);
});

test('any text parses or is a parse error', () => {
  const piece = fc.constantFrom(
    '{{',
    '}}',
    '{{-',
    '-}}',
    '/*',
    '*/',
    '"',
    '`',
    "'",
    '(',
    ')',
    '|',
    '.',
    '$',
    '$x',
    ':=',
    '=',
    ',',
    ' ',
    '\n',
    'if',
    'end',
    'else',
    'range',
    'with',
    'define',
    'template',
    'block',
    'break',
    'nil',
    'true',
    '1',
    '0x',
    '.a',
    'len',
    'é',
    '\\',
    'text',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      try {
        render(pieces.join(''), data, new Budget({ steps: 1000, size: 10_000, items: 100 }));
      } catch (error) {
        assert.match((error as Error).name, /^(?:TemplateParseError|TemplateExecError|Error|GoError)$/);
      }
    }),
    { numRuns: 2000 },
  );
});

test('integers keep their type through a range', () => {
  const set = new TemplateSet({ type: fn('any', (value: { type: { name: string } }) => value.type.name) });
  set.parse('main', '{{ range . }}{{ type . }}{{ end }}');
  assert.equal(execute(set, 'main', int(1)), 'int');
  assert.equal(execute(set, 'main', int64(1)), 'int64');
});
