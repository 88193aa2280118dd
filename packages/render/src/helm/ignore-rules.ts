import { RenderError } from '../render-error.ts';
import { baseName } from '../sprig/paths.ts';

/** Whether a chart ignores a file or a folder. */
export type IgnoreRules = (path: string, isFolder: boolean) => boolean;

interface Rule {
  readonly negated: boolean;
  readonly onlyFolders: boolean;
  readonly matches: (path: string) => boolean;
}

/** The rules of a `.helmignore`, in order, and the implicit one: hidden files in `templates/`. */
export function ignoreRules(text: string): IgnoreRules {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const rules = [...lines, 'templates/.?*'].flatMap(parseRule);
  return (path, isFolder) => {
    for (const rule of rules) {
      if (rule.negated) {
        if ((rule.onlyFolders && !isFolder) || !rule.matches(path)) return true;
      } else if ((!rule.onlyFolders || isFolder) && rule.matches(path)) {
        return true;
      }
    }
    return false;
  };
}

function parseRule(line: string): Rule[] {
  const rule = line.trim();
  if (rule === '' || rule.startsWith('#')) return [];
  const refuse = (why: string): never => {
    throw new RenderError('InvalidChart', `.helmignore: ${JSON.stringify(rule)}: ${why}`);
  };
  if (rule.includes('**')) refuse('double-star (**) syntax is not supported');
  const negated = rule.startsWith('!');
  const withoutSign = negated ? rule.slice(1) : rule;
  const onlyFolders = withoutSign.endsWith('/');
  const pattern = onlyFolders ? withoutSign.slice(0, -1) : withoutSign;
  const rooted = pattern.startsWith('/');
  const regex = shellPattern(rooted ? pattern.slice(1) : pattern) ?? refuse('syntax error in pattern');
  const whole = rooted || pattern.includes('/');
  return [{ negated, onlyFolders, matches: (path) => regex.test(whole ? path : baseName(path)) }];
}

/** Go's filepath.Match: `*` and `?` do not match `/`, `[a-z]` and `[^a]` are sets. */
function shellPattern(pattern: string): RegExp | undefined {
  let out = '';
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern.charAt(i);
    if (char === '*') out += '[^/]*';
    else if (char === '?') out += '[^/]';
    else if (char === '[') {
      const end = pattern.indexOf(']', i + 2);
      if (end < 0) return undefined;
      const inside = pattern.slice(i + 1, end);
      out += `[${inside.startsWith('^') ? '^' : ''}${inside.replace(/^\^/, '').replace(/[\\\]^]/g, '\\$&')}]`;
      i = end;
    } else if (char === '\\') {
      if (i + 1 >= pattern.length) return undefined;
      out += literal(pattern.charAt(++i));
    } else out += literal(char);
  }
  return new RegExp(`^${out}$`, 's');
}

const literal = (char: string): string => char.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
