import { type FieldError, fieldError } from './field-error.ts';

const byteLength = (value: string): number => Buffer.byteLength(value);

/** The message of kube-apiserver for a failed pattern: what is expected, examples, and the pattern itself. */
export function patternMessage(text: string, pattern: string, ...examples: string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${text} (${examples.length ? `e.g. ${shown}` : ''}regex used for validation is '${pattern}')`;
}

const tooLong = (value: string, max: number, unit: 'characters' | 'bytes' = 'characters'): string[] =>
  byteLength(value) > max ? [`must be no more than ${max} ${unit}`] : [];

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const underscored = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const underscoredSubdomain = `${underscored}(\\.${underscored})*`;
const letterLabel = '[a-z]([-a-z0-9]*[a-z0-9])?';
const wildcard = `\\*\\.${subdomain}`;
const keyName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const optionalKeyName = `(${keyName})?`;
const configKeyName = '[-._a-zA-Z0-9]+';
const identifier = '[A-Za-z_][A-Za-z0-9_]*';
const headerName = '[-A-Za-z0-9]+';
const percentage = '[0-9]+%';

const labelPattern = whole(label);
const subdomainPattern = whole(subdomain);
const underscoredPattern = whole(underscoredSubdomain);
const letterLabelPattern = whole(letterLabel);
const wildcardPattern = whole(wildcard);
const keyNamePattern = whole(keyName);
const labelValuePattern = whole(optionalKeyName);
const configKeyPattern = whole(configKeyName);
const identifierPattern = whole(identifier);
const headerPattern = whole(headerName);
const percentPattern = whole(percentage);

const ends = 'and must start and end with an alphanumeric character';
const keyNameMessage = patternMessage(
  `must consist of alphanumeric characters, '-', '_' or '.', ${ends}`,
  keyName,
  'MyName',
  'my.name',
  '123-abc',
);

export function dns1123Label(value: string): string[] {
  const messages = tooLong(value, 63);
  if (labelPattern.test(value)) return messages;
  if (subdomainPattern.test(value)) return [...messages, 'must not contain dots'];
  const text = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ${ends}`;
  return [...messages, patternMessage(text, label, 'my-name', '123-abc')];
}

export function dns1123Subdomain(value: string): string[] {
  const messages = tooLong(value, 253);
  if (subdomainPattern.test(value)) return messages;
  const text = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ${ends}`;
  return [...messages, patternMessage(text, subdomain, 'example.com')];
}

export function dns1123SubdomainWithUnderscore(value: string): string[] {
  const messages = tooLong(value, 253);
  if (underscoredPattern.test(value)) return messages;
  const text = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', ${ends}`;
  return [...messages, patternMessage(text, underscoredSubdomain, 'example.com')];
}

export function wildcardDns1123Subdomain(value: string): string[] {
  const messages = tooLong(value, 253);
  if (wildcardPattern.test(value)) return messages;
  const text =
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
  return [...messages, patternMessage(text, wildcard, '*.example.com')];
}

export function dns1035Label(value: string): string[] {
  const messages = tooLong(value, 63);
  if (letterLabelPattern.test(value)) return messages;
  const text =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return [...messages, patternMessage(text, letterLabel, 'my-name', 'abc-123')];
}

/** A name that can be a segment of a URL path. A `prefix` gets a suffix, so that `.` and `..` are harmless. */
export function pathSegment(value: string, prefix = false): string[] {
  if (!prefix && (value === '.' || value === '..')) return [`may not be '${value}'`];
  return ['/', '%'].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`);
}

/** `name` or `prefix/name`: label and annotation keys, finalizers, condition types. */
export function qualifiedName(value: string): string[] {
  const parts = value.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${keyNameMessage} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const messages: string[] = [];
  const name = parts.at(-1) ?? '';
  if (parts.length === 2) {
    const prefix = parts[0] ?? '';
    if (prefix === '') messages.push('prefix part must be non-empty');
    else {
      if (byteLength(prefix) > 253) messages.push('prefix part must be no more than 253 bytes');
      if (!subdomainPattern.test(prefix)) messages.push(`prefix part ${dns1123Subdomain(prefix).at(-1)}`);
    }
  }
  if (name === '') messages.push('name part must be non-empty');
  else if (byteLength(name) > 63) messages.push('name part must be no more than 63 bytes');
  if (!keyNamePattern.test(name)) messages.push(`name part ${keyNameMessage}`);
  return messages;
}

export function labelValue(value: string): string[] {
  const messages = tooLong(value, 63, 'bytes');
  if (labelValuePattern.test(value)) return messages;
  const text = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ${ends}`;
  return [...messages, patternMessage(text, optionalKeyName, 'MyValue', 'my_value', '12345')];
}

/** A key of a ConfigMap or Secret, which becomes a file name. */
export function configKey(value: string): string[] {
  const messages = tooLong(value, 253);
  if (!configKeyPattern.test(value)) {
    const text = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
    messages.push(patternMessage(text, configKeyName, 'key.name', 'KEY_NAME', 'key-name'));
  }
  if (value === '.' || value === '..') messages.push(`must not be '${value}'`);
  else if (value.startsWith('..')) messages.push("must not start with '..'");
  return messages;
}

export function cIdentifier(value: string): string[] {
  if (identifierPattern.test(value)) return [];
  const text =
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'";
  return [patternMessage(text, identifier, 'my_name', 'MY_NAME', 'MyName')];
}

export function httpHeaderName(value: string): string[] {
  if (headerPattern.test(value)) return [];
  return [
    patternMessage("a valid HTTP header must consist of alphanumeric characters or '-'", headerName, 'X-Header-Name'),
  ];
}

export function percent(value: string): string[] {
  if (percentPattern.test(value)) return [];
  const text = "a valid percent string must be a numeric string followed by an ending '%'";
  return [patternMessage(text, percentage, '1%', '93%')];
}

export function portNumber(value: number): string[] {
  return value >= 1 && value <= 65535 ? [] : ['must be between 1 and 65535, inclusive'];
}

export function portName(value: string): string[] {
  const messages = tooLong(value, 15);
  if (!/^[-a-z0-9]+$/.test(value)) {
    messages.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(value)) messages.push('must contain at least one letter (a-z)');
  if (value.includes('--')) messages.push('must not contain consecutive hyphens');
  if (value.startsWith('-') || value.endsWith('-')) messages.push('must not begin or end with a hyphen');
  return messages;
}

type NameRule = (name: string, prefix: boolean) => string[];

/** A prefix may end in a dash, since random characters follow it. */
const masked = (rule: (value: string) => string[]): NameRule => {
  return (name, prefix) => rule(prefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name);
};

/** The rules for `metadata.name`, as used by `KindRules.validateName`. */
export const nameRules = {
  subdomain: masked(dns1123Subdomain),
  label: masked(dns1123Label),
  dns1035: masked(dns1035Label),
  pathSegment: (name: string, prefix: boolean) => pathSegment(name, prefix),
} satisfies Record<string, NameRule>;

export const invalidEach = (field: string, value: unknown, messages: readonly string[]): FieldError[] =>
  messages.map((message) => fieldError.invalid(field, value, message));
