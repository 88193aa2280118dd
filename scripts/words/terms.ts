/** The replaced terms of docs/glossary.md, compiled to patterns. */

/**
 * Where a term is looked for:
 * - `names`: identifiers and file names, split into words: `syncWave` and `sync-wave.ts` are `sync wave`
 * - `types`: identifiers that begin with a capital letter, and file names
 * - `text`: comments, strings, documents and help pages
 * - `anywhere`: names and text
 */
export const scopes = ['anywhere', 'names', 'types', 'text'] as const;
export type Scope = (typeof scopes)[number];

export interface Term {
  /** The term as written in the table. */
  readonly avoid: string;
  readonly use: string;
  readonly scope: Scope;
  /** Path globs in which the term is allowed. */
  readonly except: readonly string[];
  /** Matches case-insensitively; global, so that `matchAll` works. */
  readonly pattern: RegExp;
}

const heading = '## Replaced terms';

/** The line of the glossary from which on replaced terms are listed; the check reads only what is above it. */
export function withoutReplacedTerms(glossary: string): string {
  const start = glossary.indexOf(heading);
  return start < 0 ? glossary : glossary.slice(0, start);
}

/** Reads the tables below the heading "Replaced terms". Throws if a row cannot be used. */
export function parseTerms(glossary: string): Term[] {
  const start = glossary.indexOf(heading);
  if (start < 0) throw new Error(`the glossary has no heading "${heading}"`);
  const skipped = glossary.slice(0, start).split('\n').length;
  return glossary
    .slice(start)
    .split('\n')
    .flatMap((line, index) => {
      if (!line.startsWith('|') || /^\|\s*(avoid\s*\||-)/.test(line)) return [];
      try {
        return [parseRow(line)];
      } catch (error) {
        throw new Error(`docs/glossary.md:${skipped + index}: ${error instanceof Error ? error.message : error}`);
      }
    });
}

function parseRow(line: string): Term {
  const [avoid = '', use = '', where = '', except = ''] = line
    .slice(1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|').replaceAll('`', ''));
  if (avoid === '' || use === '') throw new Error('a row needs the columns "avoid" and "use"');
  const scope = scopes.find((name) => name === (where || 'anywhere'));
  if (!scope) throw new Error(`unknown scope "${where}", expected one of ${scopes.join(', ')}`);
  return { avoid, use, scope, except: except.split(/,\s*/).filter(Boolean), pattern: compile(avoid) };
}

/** `/regex/` as it is; otherwise phrases separated by commas, as whole words, with any white space or hyphen between words. */
function compile(avoid: string): RegExp {
  const regex = /^\/(.+)\/$/.exec(avoid)?.[1];
  if (regex !== undefined) return new RegExp(regex, 'gi');
  const phrases = avoid.split(/,\s*/).map((phrase) =>
    phrase
      .split(/[\s-]+/)
      .map(escapeRegex)
      .join('[\\s-]+'),
  );
  return new RegExp(`(?<![\\w-])(?:${phrases.join('|')})(?![\\w])`, 'gi');
}

const escapeRegex = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
