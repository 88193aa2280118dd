/** A template renders, or fails with an error of the parser, of the execution or of a limit. */
import fc from 'fast-check';
import { anyText, mutated, wordsOf } from '../../../../scripts/fuzz/inputs.ts';
import { fuzzTarget, unlessRefused } from '../../../../scripts/fuzz/target.ts';
import { TemplateExecError } from '../../src/go-template/exec-error.ts';
import { GoError } from '../../src/go-template/go-value.ts';
import { Budget, LimitError } from '../../src/go-template/limits.ts';
import { TemplateParseError } from '../../src/go-template/parse-error.ts';
import { Engine } from '../../src/helm/engine.ts';
import { sprigFunctions } from '../../src/sprig/index.ts';
import { fromPlain } from '../../src/sprig/plain.ts';

const values = {
  s: 'text',
  n: 3,
  f: 0.5,
  list: ['b', 'a', 'c'],
  map: { b: 2, a: 1, nested: { x: 'deep' } },
  no: false,
  nothing: null,
  date: '2024-01-02T03:04:05Z',
};
const seeds = [
  '{{- define "t" -}}{{ .s | upper | quote }}{{- end -}}{{ include "t" . | indent 2 }}',
  '{{ range $i, $e := .list }}{{ if eq $i 1 }}{{ continue }}{{ else if gt $i 5 }}{{ break }}{{ end }}{{ $e }}{{ else }}none{{ end }}',
  '{{ with .map.nested }}{{ .x | default "y" | trunc 2 }}{{ end }}{{ printf "%05.2f %v %q %T" .f .list .s .n }}',
  '{{ toYaml .map | nindent 4 }}{{ fromYaml "a: 1" | toJson }}{{ tpl "{{ .n }}" . }}{{ dict "a" 1 "b" (list 1 2) | toPrettyJson }}',
  '{{ regexReplaceAll "(a+)" .s "${1}b" }}{{ semverCompare ">=1.2" "1.3.0" }}{{ date "2006-01-02" .date }}{{ substr 0 2 .s }}',
];
const functions = Object.keys(sprigFunctions({ now: () => 0, used: () => {} })).filter(
  // Keys and certificates take seconds each, and have separate tests.
  (name) => !/^(?:gen|derivePassword|bcrypt|htpasswd|encryptAES|decryptAES|buildCustomCert|getHostByName)/u.test(name),
);
const words = [
  ...'{{ }} {{- -}} if else end range with define block template include tpl break continue . .s .n .f .list .map .nothing .missing $ $x := = | ( ) , 0 1 -1 1e3 0x1F 100000 1i \'a\' "a" "%d" `b` true nil not and or eq ne lt index slice len print printf html js urlquery call toYaml fromYaml fromJson required fail lookup'.split(
    ' ',
  ),
  ...functions,
];

/** Small: a template of a fuzzer should fail, not run. */
const budget = { steps: 20_000, size: 200_000, items: 10_000 };

export const target = fuzzTarget({
  inputs: fc.oneof(
    { arbitrary: mutated(seeds, words), weight: 3 },
    { arbitrary: wordsOf(words).map((text) => `{{ ${text} }}`), weight: 3 },
    { arbitrary: anyText, weight: 1 },
  ),
  check(template: string) {
    unlessRefused([TemplateParseError, TemplateExecError, GoError, LimitError], () => {
      const engine = new Engine({ now: () => 0, budget: new Budget(budget) });
      engine.parse('main', template);
      engine.render('main', fromPlain(values));
    });
  },
});
