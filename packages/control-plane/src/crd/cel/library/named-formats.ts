import { labelValue, nameRules, qualifiedName } from '@fairlead/apimachinery';
import { stringFormat } from '../../formats.ts';
import { namespaced, type Overload, overload, perCharacter } from '../overloads.ts';
import { List, Opaque, Optional } from '../values.ts';

type Check = (text: string) => string[];

const known =
  (format: string, problem: string): Check =>
  (text) =>
    stringFormat(format)!(text) ? [] : [problem];

const checks: Readonly<Record<string, Check>> = {
  dns1123Label: (text) => nameRules.label(text, false),
  dns1123Subdomain: (text) => nameRules.subdomain(text, false),
  dns1035Label: (text) => nameRules.dns1035(text, false),
  qualifiedName,
  dns1123LabelPrefix: (text) => nameRules.label(text, true),
  dns1123SubdomainPrefix: (text) => nameRules.subdomain(text, true),
  dns1035LabelPrefix: (text) => nameRules.dns1035(text, true),
  labelValue,
  uri: known('uri', 'invalid URI for request'),
  uuid: known('uuid', 'does not match the UUID format'),
  byte: known('byte', 'invalid base64'),
  date: known('date', 'invalid date'),
  datetime: known('datetime', 'invalid datetime'),
};

const formatValue = (name: string): Opaque => new Opaque('Format', name, (other) => other === name);

function validate(format: Opaque, text: string): Optional {
  const problems = checks[format.content as string]!(text);
  return problems.length === 0 ? Optional.none : new Optional(List.of(problems));
}

export const namedFormats: Overload[] = [
  ...Object.keys(checks).map((name) => namespaced(`format.${name}`, 'constant(): Format', () => formatValue(name))),
  namespaced('format.named', 'named(string): optional<Format>', (name: string) =>
    Object.hasOwn(checks, name) ? new Optional(formatValue(name)) : Optional.none,
  ),
  overload('Format.validate(string): optional<list<string>>', validate, perCharacter),
];
