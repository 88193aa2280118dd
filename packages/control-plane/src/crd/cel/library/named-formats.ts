import { labelValue, nameRules, qualifiedName } from '@fairlead/apimachinery';
import { stringFormat } from '../../formats.ts';
import { namespaced, type Overload, overload, perCharacter } from '../overloads.ts';
import { List, Opaque, Optional } from '../values.ts';

type Check = (text: string) => string[];

const known =
  (format: string, problem: string): Check =>
  (text) =>
    stringFormat(format)?.(text) ? [] : [problem];

const checks = new Map<string, Check>(
  Object.entries({
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
  }),
);

/** The value of a named format; its content is the check. */
const formatValue = (name: string, check: Check): Opaque<Check> => new Opaque('Format', check, name);

function validate(format: Opaque<Check>, text: string): Optional {
  const problems = format.content(text);
  return problems.length === 0 ? Optional.none : new Optional(List.of(problems));
}

export const namedFormats: Overload[] = [
  ...[...checks].map(([name, check]) =>
    namespaced(`format.${name}`, 'constant(): Format', () => formatValue(name, check)),
  ),
  namespaced('format.named', 'named(string): optional<Format>', (name: string) => {
    const check = checks.get(name);
    return check ? new Optional(formatValue(name, check)) : Optional.none;
  }),
  overload('Format.validate(string): optional<list<string>>', validate, perCharacter),
];
