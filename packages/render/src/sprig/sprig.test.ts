import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TemplateExecError } from '../go-template/exec-error.ts';
import { execute } from '../go-template/execute.ts';
import { fromBytes } from '../go-template/go-string.ts';
import { TemplateSet } from '../go-template/template-set.ts';
import { sprigFunctions } from './index.ts';
import { fromPlain } from './plain.ts';

const used: string[] = [];
const functions = sprigFunctions({ now: () => Date.UTC(2024, 1, 29, 12), used: (name) => used.push(name) });

const data = {
  n: 3,
  big: 1000000,
  l: ['a', 'b', 'c'],
  m: { a: 1, b: { c: 2 } },
  s: 'text',
  raw: fromBytes(Buffer.of(0xff, 0x61)),
};

function render(text: string): string {
  const set = new TemplateSet(functions);
  set.parse('main', text);
  return execute(set, 'main', fromPlain(data));
}

/** At least one case for each function; a test below checks it. */
const cases: [string, string][] = [
  ['{{ hello }}', 'Hello!'],
  // strings
  ['{{ abbrev 5 "hello world" }} {{ abbrev 3 "hello" }}', 'he... hello'],
  ['{{ abbrevboth 5 10 "1234 5678 9123" }}', '...5678...'],
  ['{{ trunc 5 "hello world" }} {{ trunc -5 "hello world" }} {{ trunc 1 "é" | quote }}', 'hello world "\\xc3"'],
  [
    '{{ trim "  x\\n " }}|{{ trimAll "$" "$5$" }}|{{ trimall "-" "-x-" }}|{{ trimSuffix "-" "a-" }}|{{ trimPrefix "-" "-a" }}',
    'x|5|x|a|a',
  ],
  [
    '{{ upper "straße" }} {{ lower "ÉA" }} {{ title "hello big-world" }} {{ untitle "Hello World" }}',
    'STRAßE éa Hello Big-World hello world',
  ],
  ['{{ substr 1 3 "hello" }} {{ substr -1 2 "hello" }} {{ substr 2 -1 "hello" }}', 'el he llo'],
  ['{{ repeat 3 "ab" }}|{{ nospace " a b " }}|{{ initials "First Try" }}', 'ababab|ab|FT'],
  [
    '{{ swapcase "aBc" }} {{ snakecase "HTTPServer2xx" }} {{ kebabcase "FirstName" }} {{ camelcase "http_server" }}',
    'AbC http_server_2xx first-name HttpServer',
  ],
  [
    '{{ camelcase "camelCase" }} {{ camelcase "HTTPServer" }} {{ camelcase "userID_fooBAR" }} {{ camelcase "GO_PATH" }} {{ camelcase "--" }}',
    'CamelCase Httpserver UserIDFooBAR GoPath ---',
  ],
  [
    '{{ snakecase "camelCase" }} {{ kebabcase "userID" }} {{ snakecase "bb日Ab" }} {{ kebabcase "İd" }}',
    'camel_case user-id bb_日_ab id',
  ],
  ['{{ upper "ᾳ" }} {{ lower "İ" }} {{ title "ǅungla" }} {{ untitle "İx" }} {{ swapcase "ǅᾳİ" }}', 'ᾼ i ǅungla ix ǆᾼi'],
  ['{{ upper .raw }}{{ title .raw }}{{ camelcase .raw }}', '\ufffdA\ufffda\ufffda'],
  ['{{ wrap 5 "aa bb cc" }}|{{ wrapWith 3 "/" "abcdef" }}', 'aa bb\ncc|abc/def'],
  ['{{ contains "ell" "hello" }} {{ hasPrefix "he" "hello" }} {{ hasSuffix "lo" "hello" }}', 'true true true'],
  ['{{ quote "a\\"b" 1 nil }} {{ squote "a" 1 nil }} {{ cat "a" 1 nil "b" }}', '"a\\"b" "1" \'a\' \'1\' a 1 b'],
  ['{{ indent 2 "a\\nb" }}|{{ nindent 1 "a" }}', '  a\n  b|\n a'],
  ['{{ replace "a" "b" "aXa" }} {{ plural "one" "many" 2 }} {{ plural "one" "many" 1 }}', 'bXb many one'],
  ['{{ toString .big }} {{ toStrings (list 1 nil "a") }} {{ join "-" (list 1 "a" nil) }}', '1e+06 [1 a] 1-a'],
  ['{{ (split "." "a.b")._1 }} {{ (splitn "." 2 "a.b.c")._1 }} {{ splitList "," "a,b" }}', 'b b.c [a b]'],
  // lists
  ['{{ list 1 "a" }} {{ tuple 1 2 }}', '[1 a] [1 2]'],
  ['{{ first .l }}{{ mustFirst .l }}{{ last .l }}{{ mustLast .l }}', 'aacc'],
  ['{{ rest .l }}{{ mustRest .l }}{{ initial .l }}{{ mustInitial .l }}', '[b c][b c][a b][a b]'],
  ['{{ append .l 1 }}{{ mustAppend .l 1 }}{{ push .l 1 }}{{ mustPush .l 1 }}', '[a b c 1][a b c 1][a b c 1][a b c 1]'],
  ['{{ prepend .l 1 }}{{ mustPrepend .l 1 }}{{ concat .l (list 1) }}', '[1 a b c][1 a b c][a b c 1]'],
  ['{{ reverse .l }}{{ mustReverse .l }}{{ uniq (list 1 1 2) }}{{ mustUniq (list 1 1) }}', '[c b a][c b a][1 2][1]'],
  ['{{ without .l "a" }}{{ mustWithout .l "a" }}{{ has "a" .l }}{{ mustHas "z" .l }}', '[b c][b c]truefalse'],
  ['{{ uniq (list 1 1.0 "1" true nil 1 nil (list 1) (list 1)) | toJson }}', '[1,1,"1",true,null,[1]]'],
  ['{{ uniq (until 50000) | len }}', '50000'],
  ['{{ compact (list 0 1 "") }}{{ mustCompact (list nil 1) }}', '[1][1]'],
  ['{{ slice .l 1 2 }}{{ mustSlice .l 1 }}{{ chunk 2 .l }}{{ mustChunk 2 .l }}', '[b][b c][[a b] [c]][[a b] [c]]'],
  ['{{ sortAlpha (list "b" "a") }} {{ toJson (rest (list)) }}', '[a b] null'],
  // dicts
  ['{{ dict "a" 1 "b" }} {{ get .m "a" }} {{ get .m "z" | quote }}', 'map[a:1 b:] 1 ""'],
  [
    '{{ $d := dict "a" 1 }}{{ $_ := set $d "b" 2 }}{{ $d }}{{ unset $d "a" }}{{ hasKey $d "a" }}',
    'map[a:1 b:2]map[b:2]false',
  ],
  ['{{ pluck "a" .m (dict "a" 2) }} {{ keys .m | sortAlpha }} {{ values (dict "a" 1) }}', '[1 2] [a b] [1]'],
  ['{{ pick .m "a" }} {{ omit .m "a" }} {{ dig "b" "c" 0 .m }} {{ dig "b" "z" 0 .m }}', 'map[a:1] map[b:map[c:2]] 2 0'],
  ['{{ merge (dict "a" "" "n" (dict "x" 1)) (dict "a" 2 "n" (dict "x" 9 "y" 2)) }}', 'map[a:2 n:map[x:1 y:2]]'],
  ['{{ mustMerge (dict "a" 1) (dict "a" 2) }}', 'map[a:1]'],
  ['{{ mergeOverwrite (dict "a" 1 "n" (dict "x" 1)) (dict "a" 2 "n" (dict)) }}', 'map[a:2 n:map[x:1]]'],
  ['{{ mustMergeOverwrite (dict "a" 1) (dict "a" nil) }}', 'map[a:<nil>]'],
  ['{{ $c := deepCopy .m }}{{ $_ := set $c "a" 9 }}{{ .m.a }}{{ (mustDeepCopy .m).a }}', '11'],
  // math
  ['{{ add1 1 }} {{ add 1 2.9 "3" }} {{ sub 5 2 }} {{ div 7 2 }} {{ mod -7 3 }} {{ mul 2 3 4 }}', '2 6 3 3 -1 24'],
  ['{{ add 9223372036854775807 1 }}', '-9223372036854775808'],
  ['{{ max 1 5 3 }} {{ biggest 1 2 }} {{ min 3 1 }} {{ maxf 1.5 2 }} {{ minf 1.5 2 }}', '5 2 1 2 1.5'],
  [
    '{{ add1f 0.1 }} {{ addf 0.1 0.2 }} {{ subf 0.3 0.1 }} {{ mulf 1.1 3 }} {{ divf 1 3 }}',
    '1.1 0.3 0.2 3.3 0.3333333333333333',
  ],
  ['{{ ceil 1.1 }} {{ floor 1.9 }} {{ round 123.555 2 }} {{ round 123.4 0 0.3 }}', '2 1 123.56 124'],
  // Where Sprig ignores the range error of ParseInt, it uses the clamped value; elsewhere it is 0.
  ['{{ atoi "99999999999999999999" }} {{ atoi "-9223372036854775809" }}', '9223372036854775807 -9223372036854775808'],
  ['{{ duration "99999999999999999999" }} {{ duration "-99999999999999999999" }}', '-1s 0s'],
  ['{{ int "9223372036854775808" }} {{ int64 "1e99" }} {{ toDecimal "7777777777777777777777777" }}', '0 0 0'],
  ['{{ int "12" }} {{ int64 1.9 }} {{ float64 "1.5" }} {{ atoi "x" }} {{ toDecimal "0777" }}', '12 1 1.5 0 511'],
  [
    '{{ until 3 }} {{ untilStep 5 0 -2 }} {{ seq 3 }}|{{ seq 2 -1 }}|{{ seq 0 2 4 }}',
    '[0 1 2] [5 3 1] 1 2 3|2 1 0 -1|0 2 4',
  ],
  // choosing, types
  ['{{ default "d" "" }} {{ "v" | default "d" }} {{ default "d" }}', 'd v d'],
  [
    '{{ empty 0 }} {{ coalesce "" 0 "x" }} {{ all 1 "" }} {{ any 0 1 }} {{ ternary "y" "n" true }}',
    'true x false true y',
  ],
  [
    '{{ typeOf .n }} {{ kindOf .l }} {{ typeIs "string" "a" }} {{ typeIsLike "int" 1 }} {{ kindIs "map" .m }}',
    'float64 slice true true true',
  ],
  ['{{ deepEqual (list 1) (list 1) }} {{ deepEqual 1 1.0 }}', 'true false'],
  // json, encoding
  [
    '{{ toJson .m }} {{ mustToJson "<" }} {{ toRawJson "<" }} {{ mustToRawJson "&" }}',
    '{"a":1,"b":{"c":2}} "\\u003c" "<" "&"',
  ],
  ['{{ toPrettyJson (list 1) }} {{ mustToPrettyJson (list) }}', '[\n  1\n] []'],
  ['{{ (fromJson "{\\"a\\":[1]}").a }} {{ mustFromJson "2" }} {{ fromJson "nope" | default "bad" }}', '[1] 2 bad'],
  // The position of an error, as Go counts it.
  [
    '{{ b64dec "a\\nb" }}, {{ b64dec "QQ=b" }}',
    'illegal base64 data at input byte 1, illegal base64 data at input byte 2',
  ],
  [
    '{{ b32dec "B7=" }}, {{ b32dec "AA==7==="}}',
    'illegal base32 data at input byte 3, illegal base32 data at input byte 3',
  ],
  [
    '{{ b64enc "hi" }} {{ b64dec "aGk=" }} {{ b64dec "!" }} {{ b32enc "hi" }} {{ b32dec "NBUQ====" }}',
    'aGk= hi illegal base64 data at input byte 0 NBUQ==== hi',
  ],
  ['{{ .raw | b64enc }}', '/2E='],
  // paths, urls
  [
    '{{ base "a/b.c" }} {{ dir "a/b.c" }} {{ clean "a/../b//c" }} {{ ext "a.b.c" }} {{ isAbs "/a" }}',
    'b.c a b/c .c true',
  ],
  ['{{ osBase "a/b" }} {{ osDir "a/b" }} {{ osClean "./a" }} {{ osExt "a.b" }} {{ osIsAbs "a" }}', 'b a a .b false'],
  [
    '{{ (urlParse "https://u:p@h:1/a%20b?q=1#f").path }} {{ urlJoin (dict "scheme" "http" "host" "h" "path" "/x y") }}',
    '/a b http://h/x%20y',
  ],
  ['{{ getHostByName "example.com" | quote }}', '""'],
  // regular expressions, versions
  ['{{ regexMatch "^a+$" "aa" }} {{ mustRegexMatch "b" "aa" }} {{ regexMatch "(" "x" }}', 'true false false'],
  [
    '{{ regexFind "a.c" "xabcx" }} {{ mustRegexFind "z" "x" | quote }} {{ regexFindAll "[a-z]" "a1b" -1 }} {{ mustRegexFindAll "a*" "baa" 1 }}',
    'abc "" [a b] []',
  ],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are the pattern's
  ['{{ regexReplaceAll "(a)(x)?" "ab" "<$1|${2}|$1W>" }} {{ mustRegexReplaceAll "a" "aa" "$$" }}', '<a||>b $$'],
  ['{{ regexReplaceAllLiteral "a" "aa" "$1" }} {{ mustRegexReplaceAllLiteral "" "ab" "-" }}', '$1$1 -a-b-'],
  [
    '{{ regexSplit "," "a,b,c" 2 }} {{ mustRegexSplit "z" "a" -1 }} {{ regexQuoteMeta "a.b*" }}',
    '[a b,c] [a] a\\.b\\*',
  ],
  ['{{ (semver "v1.2.3-rc.1+b").Minor }} {{ semver "1.2" }} {{ semverCompare "^1.2" "1.9.0" }}', '2 1.2.0 true'],
  // dates
  [
    '{{ now.Year }} {{ now | date "2006-01-02 15:04" }} {{ htmlDate 0 }} {{ htmlDateInZone 0 "America/New_York" }}',
    '2024 2024-02-29 12:00 1970-01-01 1969-12-31',
  ],
  ['{{ dateInZone "15:04 MST" 0 "Europe/Berlin" }} {{ date_in_zone "15:04" 0 "nowhere" }}', '01:00 CET 00:00'],
  [
    '{{ $d := toDate "2006-01-02" "2024-02-28" }}{{ dateModify "24h" $d | htmlDate }} {{ date_modify "x" $d | htmlDate }}',
    '2024-02-29 2024-02-28',
  ],
  [
    '{{ $d := mustToDate "2006-01-02" "2024-02-28" }}{{ mustDateModify "-1h" $d }} {{ must_date_modify "1h" $d | unixEpoch }}',
    '2024-02-27 23:00:00 +0000 UTC 1709082000',
  ],
  ['{{ ago (toDate "2006-01-02" "2024-02-29") }} {{ duration "95" }} {{ durationRound "2400h" }}', '12h0m0s 1m35s 3mo'],
  // hashes
  [
    '{{ sha1sum "a" | trunc 8 }} {{ sha256sum "a" | trunc 8 }} {{ sha512sum "a" | trunc 8 }} {{ adler32sum "abc" }}',
    '86f7e437 ca978112 1f40fc92 38600999',
  ],
  ['{{ derivePassword 1 "pin" "p" "u" "s" }} {{ encryptAES "k" "text" | decryptAES "k" }}', '2461 text'],
  // another each time, so by shape
  [
    '{{ randAlphaNum 5 | len }} {{ randAlpha 3 | regexMatch "^[a-zA-Z]{3}$" }} {{ randNumeric 2 | regexMatch "^[0-9]{2}$" }} {{ randAscii 4 | len }}',
    '5 true true 4',
  ],
  ['{{ randInt 3 4 }} {{ randBytes 3 | len }} {{ uuidv4 | len }} {{ shuffle "aaa" }}', '3 4 36 aaa'],
  [
    '{{ bcrypt "x" | regexMatch "^[$]2a[$]10[$].{53}$" }} {{ htpasswd "u" "p" | hasPrefix "u:$2a$" }} {{ htpasswd "a:b" "p" }}',
    'true true invalid username: a:b',
  ],
  ['{{ genPrivateKey "ecdsa" | hasPrefix "-----BEGIN EC" }} {{ genPrivateKey "x" }}', 'true Unknown type x'],
];

for (const [text, expected] of cases) {
  test(`renders ${text}`, () => assert.equal(render(text), expected));
}

const failures: [string, string][] = [
  ['{{ fail "stop" }}', 'error calling fail: stop'],
  ['{{ first .s }}', 'Cannot find first on type string'],
  ['{{ append .zz 1 }}', 'nil pointer dereference'],
  ['{{ div 1 0 }}', 'integer divide by zero'],
  ['{{ divf 1 0 }}', 'decimal division by 0'],
  ['{{ randInt 2 1 }}', 'invalid argument to Intn'],
  ['{{ dig "a" "x" 0 .m }}', 'interface conversion: interface {} is float64, not map[string]interface {}'],
  ['{{ substr 3 1 "hello" }}', 'slice bounds out of range [3:1]'],
  ['{{ repeat -1 "x" }}', 'negative Repeat count'],
  ['{{ mustFromJson "" }}', 'unexpected end of JSON input'],
  ['{{ mustToDate "2006-01-02" "2023-02-29" }}', 'day out of range'],
  ['{{ mustDateModify "x" now }}', 'time: invalid duration "x"'],
  ['{{ semver "x" }}', 'invalid semantic version'],
  ['{{ semverCompare "" "1.0.0" }}', 'improper constraint: ""'],
  ['{{ regexReplaceAll "(" "a" "b" }}', 'Compile(`(`)'],
  ['{{ urlParse "http://h:x/" }}', 'invalid port ":x" after host'],
  ['{{ decryptAES "k" "!" }}', 'illegal base64 data at input byte 0'],
  ['{{ buildCustomCert "x" "y" }}', 'unable to decode base64 certificate'],
  ['{{ genSelfSignedCertWithKey "x" (list 1) nil 1 (genPrivateKey "ecdsa") }}', 'error parsing ip: 1 is not a string'],
  ['{{ bcrypt (b64dec "/w==") }}', 'a password that is not valid UTF-8 is not supported'],
  [
    '{{ genSelfSignedCertWithKey "x" (list "fe80::1%eth0") nil 1 (genPrivateKey "ecdsa") }}',
    'error parsing ip: fe80::1%eth0',
  ],
  ['{{ genCAWithKey "x" 1 "nothing" }}', 'parsing private key: no PEM data in input'],
  ['{{ deepCopy nil }}', 'error calling deepCopy: reflect: call of reflect.Value.Type on zero Value'],
  ['{{ mustDeepCopy .missing }}', 'error calling mustDeepCopy: reflect: call of reflect.Value.Type on zero Value'],
  ['{{ until 100000000 }}', 'too long'],
  ['{{ repeat 1000000000 "x" }}', 'too long'],
];

for (const [text, message] of failures) {
  test(`error: ${text}`, () => {
    assert.throws(
      () => render(text),
      (error: Error) => error instanceof TemplateExecError && error.message.includes(message),
    );
  });
}

test('certificates verify against their authority', async () => {
  const { X509Certificate } = await import('node:crypto');
  const output = render(
    '{{ $k := genPrivateKey "ecdsa" }}{{ $ca := genCAWithKey "ca" 10 $k }}{{ $c := genSignedCertWithKey "x.example" (list "10.0.0.1" "::1") (list "a.b") 5 $ca $k }}{{ $s := genSelfSignedCertWithKey "self" nil nil 1 $k }}{{ $ca.Cert }};{{ $c.Cert }};{{ $s.Cert }};{{ (buildCustomCert (b64enc $c.Cert) (b64enc $c.Key)).Cert }}',
  );
  const [ca, cert, self, custom] = output.split(';').map((pem) => new X509Certificate(pem));
  assert.ok(ca!.ca && cert!.verify(ca!.publicKey) && cert!.checkIssued(ca!) && !cert!.ca);
  assert.equal(cert!.subjectAltName, 'DNS:a.b, IP Address:10.0.0.1, IP Address:0:0:0:0:0:0:0:1');
  assert.equal(cert!.subject, 'CN=x.example');
  assert.ok(self!.verify(self!.publicKey));
  assert.equal(custom!.fingerprint256, cert!.fingerprint256);
  assert.equal(cert!.validToDate.getTime() - cert!.validFromDate.getTime(), 5 * 86_400_000);
});

test('an IPv4 address in IPv6 form is written as IPv4', async () => {
  const { X509Certificate } = await import('node:crypto');
  const pem = render(
    '{{ $k := genPrivateKey "ed25519" }}{{ (genSelfSignedCertWithKey "x" (list "::ffff:10.1.2.3" "64:ff9b::1.2.3.4") nil 1 $k).Cert }}',
  );
  const names = new X509Certificate(pem).subjectAltName;
  assert.equal(names, 'IP Address:10.1.2.3, IP Address:64:FF9B:0:0:0:0:102:304');
});

test('a DSA key is written in the traditional form', async () => {
  const { createPrivateKey } = await import('node:crypto');
  const pem = render('{{ genPrivateKey "dsa" }}');
  assert.match(pem, /^-----BEGIN DSA PRIVATE KEY-----\n/u);
  assert.equal(createPrivateKey(pem).asymmetricKeyType, 'dsa');
});

test('a bcrypt hash verifies against its password', async () => {
  const { compareSync } = await import('bcryptjs');
  const [hash = '', entry = ''] = render('{{ bcrypt "pässword" }} {{ htpasswd "user" "other" }}').split(' ');
  assert.ok(compareSync('pässword', hash));
  assert.ok(compareSync('other', entry.slice('user:'.length)));
});

test('RSA certificates work without a key given', () => {
  const output = render(
    '{{ $ca := genCA "ca" 1 }}{{ $c := genSignedCert "x" nil nil 1 $ca }}{{ $s := genSelfSignedCert "s" nil nil 1 }}{{ $c.Key | hasPrefix "-----BEGIN RSA" }}{{ len $s.Cert | lt 500 }}',
  );
  assert.equal(output, 'truetrue');
});

test('nondeterministic functions are reported', () => {
  used.length = 0;
  render('{{ uuidv4 }}{{ now }}{{ sha256sum "x" }}{{ date "2006" 0 }}');
  assert.deepEqual(used, ['uuidv4', 'now']);
});

test('there is a case for each function', () => {
  const text = `${[...cases, ...failures].map(([template]) => template).join(' ')} genCA genSignedCert genSelfSignedCert genSignedCertWithKey `;
  const missing = Object.keys(functions).filter((name) => !new RegExp(`[ (]${name}[ .)]`).test(text));
  assert.deepEqual(missing, []);
});
