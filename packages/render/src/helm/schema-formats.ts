import { isIPv6 } from 'node:net';
import { hostnameOf, parseUrl } from '../sprig/go-url.ts';
import { parseTime } from '../sprig/time/parse.ts';
import { messageOf } from '../util/errors.ts';

/** The problem of a text of a format, with the message of the validator of Helm; undefined if it is valid. */
export type FormatCheck = (text: string) => string | undefined;

const isDigits = (text: string): boolean => /^\d+$/u.test(text);
const leadingDigits = (text: string): number => /^\d*/u.exec(text)?.[0].length ?? 0;

/** The first problem of a list of parts. */
function first<T>(parts: readonly T[], check: (part: T, i: number) => string | undefined): string | undefined {
  for (const [i, part] of parts.entries()) {
    const problem = check(part, i);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const characters = (text: string, allowed: RegExp, where = ''): string | undefined => {
  const wrong = [...text].find((character) => !allowed.test(character));
  return wrong === undefined ? undefined : `invalid character '${wrong}'${where}`;
};

const jsonPointer: FormatCheck = (text) => {
  if (text === '') return undefined;
  if (!text.startsWith('/')) return 'not starting with /';
  return /~(?![01])/u.test(text) ? '~ must be followed by 0 or 1' : undefined;
};

const relativeJsonPointer: FormatCheck = (text) => {
  const digits = leadingDigits(text);
  if (digits === 0) return 'must start with non-negative integer';
  if (digits > 1 && text.startsWith('0')) return 'starts with zero';
  const rest = text.slice(digits);
  return rest === '#' ? undefined : jsonPointer(rest);
};

const uuid: FormatCheck = (text) => {
  const lengths = [8, 4, 4, 4, 12];
  const groups = text.split('-');
  if (groups.length !== lengths.length) return `must have ${lengths.length} elements`;
  return first(groups, (group, i) => {
    if (group.length !== lengths[i]) return `element ${i + 1} must be ${lengths[i]} characters long`;
    return characters(group, /[\da-f]/iu)?.replace('invalid', 'non-hex');
  });
};

const duration: FormatCheck = (text) => {
  if (!text.startsWith('P')) return 'must start with P';
  const rest = text.slice(1);
  if (rest === '') return 'nothing after P';
  if (rest.endsWith('W')) {
    const weeks = rest.slice(0, -1);
    if (weeks === '') return 'no number in week';
    return isDigits(weeks) ? undefined : 'invalid week';
  }
  return first(rest.split('T'), (part, i) => {
    if (i > 0 && part === '') return 'no time elements';
    const all = ['YMD', 'HMS'][i];
    return all === undefined ? 'more than one T' : durationUnits(part, all);
  });
};

function durationUnits(text: string, all: string): string | undefined {
  let units = all;
  for (let rest = text; rest !== ''; ) {
    const digits = leadingDigits(rest);
    if (digits === 0) return 'missing number';
    const unit = rest.charAt(digits);
    if (unit === '') return 'missing unit';
    const at = units.indexOf(unit);
    if (at < 0) return all.includes(unit) ? `unit '${unit}' out of order` : `invalid unit '${unit}'`;
    units = units.slice(at + 1);
    rest = rest.slice(digits + 1);
  }
  return undefined;
}

const ipv4: FormatCheck = (text) => {
  const groups = text.split('.');
  if (groups.length !== 4) return 'expected four decimals';
  return first(groups, (group) => {
    if (group.length > 1 && group.startsWith('0')) return 'leading zeros';
    if (!/^[+-]?\d+$/u.test(group)) return `strconv.Atoi: parsing ${JSON.stringify(group)}: invalid syntax`;
    return Number(group) < 0 || Number(group) > 255 ? 'decimal must be between 0 and 255' : undefined;
  });
};

const ipv6: FormatCheck = (text) => {
  if (!text.includes(':')) return 'missing colon';
  if (text.includes('%')) return 'zone id is not a part of ipv6 address';
  return isIPv6(text) ? undefined : `ParseAddr(${JSON.stringify(text)}): unable to parse IP`;
};

const hostname: FormatCheck = (text) => {
  const name = text.replace(/\.$/u, '');
  if (name.length > 253) return 'more than 253 characters long';
  return first(name.split('.'), (label) => {
    if (label.length < 1 || label.length > 63) return 'label must be 1 to 63 characters long';
    if (label.startsWith('-')) return 'label starts with hyphen';
    if (label.endsWith('-')) return 'label ends with hyphen';
    return characters(label, /[a-z\d-]/iu);
  });
};

const email: FormatCheck = (text) => {
  if (text.length > 254) return 'more than 255 characters long';
  const at = text.lastIndexOf('@');
  if (at < 0) return 'missing @';
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  const problem = localPart(local);
  if (problem !== undefined) return problem;
  if (!/^\[.*\]$/su.test(domain)) return prefixed('invalid domain', hostname(domain));
  const address = domain.slice(1, -1);
  return address.startsWith('IPv6:')
    ? prefixed('invalid ipv6 address', ipv6(address.slice('IPv6:'.length)))
    : prefixed('invalid ipv4 address', ipv4(address));
};

function localPart(local: string): string | undefined {
  if (local.length > 64) return 'local part more than 64 characters long';
  if (local.length > 1 && local.startsWith('"'))
    return /[\\"]/u.test(local.slice(1, -1))
      ? 'backslash and quote are not allowed within quoted local part'
      : undefined;
  if (local.startsWith('.')) return 'starts with dot';
  if (local.endsWith('.')) return 'ends with dot';
  if (local.includes('..')) return 'consecutive dots';
  return characters(local, /[a-z\d.!#$%&'*+\-/=?^_`{|}~]/iu);
}

const prefixed = (prefix: string, problem: string | undefined): string | undefined =>
  problem && `${prefix}: ${problem}`;

/** Go's error, if a step throws. */
function attempt(step: () => unknown): string | undefined {
  try {
    step();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

const date: FormatCheck = (text) => attempt(() => parseTime('2006-01-02', text));

const time: FormatCheck = (text) => {
  if (text.length < 9) return 'less than 9 characters long';
  if (text.charAt(2) !== ':' || text.charAt(5) !== ':') return 'missing colon in correct place';
  const parts = text.slice(0, 8).split(':');
  if (!parts.every(isDigits)) return 'invalid hour/min/sec';
  const [hour = 0, minute = 0, second = 0] = parts.map(Number);
  if (hour > 23 || minute > 59 || second > 60) return 'hour/min/sec out of range';
  const fraction = /^\.\d*/u.exec(text.slice(8))?.[0] ?? '';
  if (fraction === '.') return 'no digits in second fraction';
  const zone = timeZone(text.slice(8 + fraction.length));
  if (typeof zone === 'string') return zone;
  const ofDay = (hour * 60 + minute + zone + 24 * 60) % (24 * 60);
  return second >= 60 && ofDay !== 23 * 60 + 59 ? 'invalid leap second' : undefined;
};

/** Minutes to add for UTC, or the error. */
function timeZone(text: string): number | string {
  if (/^z$/iu.test(text)) return 0;
  if (text.length !== 6) return 'offset must be 6 characters long';
  if (!/^[+-]/u.test(text)) return 'offset must begin with plus/minus';
  if (text.charAt(3) !== ':') return 'missing colon in offset in correct place';
  const parts = text.slice(1).split(':');
  if (!parts.every(isDigits)) return 'invalid hour/min in offset';
  const [hours = 0, minutes = 0] = parts.map(Number);
  if (hours > 23 || minutes > 59) return 'hour/min in offset out of range';
  return (text.startsWith('+') ? -1 : 1) * (hours * 60 + minutes);
}

const dateTime: FormatCheck = (text) => {
  if (text.length < 20) return 'less than 20 characters long';
  if (!/^t$/iu.test(text.charAt(10))) return '11th character must be t or T';
  return (
    prefixed('invalid date element', date(text.slice(0, 10))) ?? prefixed('invalid time element', time(text.slice(11)))
  );
};

const period: FormatCheck = (text) => {
  const slash = text.indexOf('/');
  if (slash < 0) return 'missing slash';
  const [start, end] = [text.slice(0, slash), text.slice(slash + 1)];
  const check = (where: string, part: string): string | undefined =>
    part.startsWith('P')
      ? prefixed(`invalid ${where} duration`, duration(part))
      : prefixed(`invalid ${where} date-time`, dateTime(part));
  if (start.startsWith('P')) return check('start', start) ?? prefixed('invalid end date-time', dateTime(end));
  return check('start', start) ?? check('end', end);
};

const uriReference: FormatCheck = (text) => (text.includes('\\') ? 'contains \\' : url(text));

const url: FormatCheck = (text) =>
  attempt(() => {
    const { host } = parseUrl(text);
    const name = hostnameOf(host);
    if (!name.includes(':')) return;
    if (!host.includes('[') || !host.includes(']')) throw new Error('ipv6 address not enclosed in brackets');
    const problem = ipv6(name);
    if (problem !== undefined) throw new Error(`invalid ipv6 address: ${problem}`);
  });

const uri: FormatCheck = (text) => url(text) ?? (parseUrl(text).scheme === '' ? 'relative url' : undefined);

const uriTemplate: FormatCheck = (text) => {
  const problem = url(text);
  if (problem !== undefined) return problem;
  return first(text.split('/'), (part) => {
    let open = false;
    for (const character of part) {
      if (character !== '{' && character !== '}') continue;
      if ((character === '{') === open) return 'nested curly braces';
      open = !open;
    }
    return open ? 'no matching closing brace' : undefined;
  });
};

const semver: FormatCheck = (text) => {
  const [, core = '', pre, build] = /^([^+-]*)(?:-([^+]*))?(?:\+(.*))?$/su.exec(text) ?? [];
  if (build === '') return 'build is empty';
  return (
    first(build?.split('.') ?? [], (id) =>
      id === '' ? 'build identifier is empty' : characters(id, /[\da-z-]/iu, ' in build identifier'),
    ) ??
    first(pre?.split('.') ?? [], (id) => {
      if (id === '') return 'pre-release identifier is empty';
      const wrong = characters(id, /[\da-z-]/iu, ' in pre-release identifier');
      return wrong ?? (/^0\d+$/u.test(id) ? 'pre-release numeric identifier starts with zero' : undefined);
    }) ??
    versionCore(core)
  );
};

function versionCore(core: string): string | undefined {
  const numbers = core.split('.');
  if (numbers.length !== 3) return 'versionCore must have 3 numbers separated by dot';
  return first(numbers, (number, i) => {
    const name = ['major', 'minor', 'patch'][i];
    if (number === '') return `${name} is empty`;
    if (number.length > 1 && number.startsWith('0')) return `${name} starts with zero`;
    return isDigits(number) ? undefined : `${name} contains non-digit`;
  });
}

/** The formats that are checked up to draft 7; others are ignored. */
export const schemaFormats: Readonly<Record<string, FormatCheck>> = {
  'json-pointer': jsonPointer,
  'relative-json-pointer': relativeJsonPointer,
  uuid,
  duration,
  period,
  ipv4,
  ipv6,
  hostname,
  email,
  date,
  time,
  'date-time': dateTime,
  uri,
  iri: uri,
  'uri-reference': uriReference,
  'iri-reference': uriReference,
  'uri-template': uriTemplate,
  semver,
};
