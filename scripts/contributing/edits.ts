/** A step of a walk-through: a change of a file, or a command. */
export type Step = Edit | { readonly command: string };

/** One fenced edit of a walk-through: the lines of a file that it finds, and those that it leaves in their stead. */
export interface Edit {
  readonly path: string;
  /** None for a new file. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * The steps under a heading of a Markdown page. A fence "```diff PATH" is an edit: its lines start with a space (context), `-` or `+`; with
 * only `+` lines it is a new file. A fence "```sh" is a command.
 */
export function stepsOf(page: string, heading: string): Step[] {
  const section = sectionOf(page, heading);
  return Array.from(section.matchAll(/^```(diff|sh) ?(\S*)\n([\s\S]*?)^```$/gm), ([, kind, path = '', body = '']) => {
    if (kind === 'sh') return { command: body.trim() };
    const lines = body.trimEnd().split('\n');
    const lineOf = (line: string): string => line.slice(1);
    return {
      path,
      before: lines.filter((line) => !line.startsWith('+')).map(lineOf),
      after: lines.filter((line) => !line.startsWith('-')).map(lineOf),
    };
  });
}

function sectionOf(page: string, heading: string): string {
  const start = page.indexOf(`\n## ${heading}\n`);
  if (start === -1) throw new Error(`the page has no heading "## ${heading}"`);
  const end = page.indexOf('\n## ', start + 1);
  return page.slice(start, end === -1 ? undefined : end);
}

/** The text of the file after the edit. The lines that the edit finds must be there exactly once. */
export function applyEdit(text: string, { path, before, after }: Edit): string {
  if (before.length === 0) {
    if (text !== '') throw new Error(`${path}: the edit creates this file, but it exists`);
    return `${after.join('\n')}\n`;
  }
  const lines = text.split('\n');
  const starts = lines.keys().filter((at) => before.every((line, step) => lines[at + step] === line));
  const [start, another] = starts;
  if (start === undefined || another !== undefined)
    throw new Error(
      `${path}: found ${start === undefined ? 'nowhere' : 'twice'}, expected once:\n${before.join('\n')}`,
    );
  return lines.toSpliced(start, before.length, ...after).join('\n');
}
