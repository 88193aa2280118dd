/**
 * Patterns of `.Files.Glob`, with the syntax of gobwas/glob and the separator `/`: `*` and `?` do not match `/`, `**` does, `[a-z]` and
 * `[!a]` are sets, `{a,b}` are alternatives. An invalid pattern matches everything, as in Helm.
 */
export function fileGlob(pattern: string): (path: string) => boolean {
  const source = translate(pattern);
  if (source === undefined) return () => true;
  const regex = new RegExp(`^(?:${source})$`, 'su');
  return (path) => regex.test(path);
}

function translate(pattern: string): string | undefined {
  const chars = [...pattern];
  let out = '';
  let depth = 0;
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i] ?? '';
    switch (char) {
      case '*': {
        let count = 1;
        while (chars[i + 1] === '*') {
          i++;
          count++;
        }
        out += count > 1 ? '.*' : '[^/]*';
        break;
      }
      case '?':
        out += '[^/]';
        break;
      case '[': {
        const end = chars.indexOf(']', i + 1);
        const inside = end < 0 ? undefined : chars.slice(i + 1, end).join('');
        const set = inside === undefined ? undefined : setOf(inside);
        if (set === undefined) return undefined;
        out += set;
        i = end;
        break;
      }
      case '{':
        depth++;
        out += '(?:';
        break;
      case '}':
        if (depth === 0) out += '\\}';
        else {
          depth--;
          out += ')';
        }
        break;
      case ',':
        out += depth > 0 ? '|' : ',';
        break;
      case '\\':
        if (chars[i + 1] === undefined) return undefined;
        out += literal(chars[++i] ?? '');
        break;
      default:
        out += literal(char);
    }
  }
  return depth === 0 ? out : undefined;
}

const literal = (char: string): string => char.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
const inSet = (char: string): string => char.replace(/[\\\]^[-]/, '\\$&');

function setOf(inside: string): string | undefined {
  const negated = inside.startsWith('!');
  const body = negated ? inside.slice(1) : inside;
  if (body === '') return undefined;
  const range = /^(.)-(.)$/su.exec(body);
  if (range) {
    if (range[1]! > range[2]!) return undefined;
    return `[${negated ? '^' : ''}${inSet(range[1]!)}-${inSet(range[2]!)}]`;
  }
  return `[${negated ? '^' : ''}${[...body].map(inSet).join('')}]`;
}
