import { RE2JS } from 're2js';

/** A regular expression as Go's RE2 reads it, which matches in time linear to the text. */
export interface Pattern {
  test(text: string): boolean;
  readonly program: RE2JS;
}

/** Matching would take longer than one request may: the text and the pattern are both huge. */
export class PatternTooCostly extends Error {}

/** Steps of the automaton (size of the program × length of the text) that one match may take: about a second. */
const maxSteps = 100_000_000;

const compiled = new Map<string, Pattern | Error>();

/** The compiled pattern, or an Error in Go's words where it is none. */
export function compilePattern(source: string): Pattern | Error {
  const known = compiled.get(source);
  if (known) return known;
  const pattern = compile(source);
  if (compiled.size >= 5_000) compiled.clear();
  compiled.set(source, pattern);
  return pattern;
}

function compile(source: string): Pattern | Error {
  try {
    const program = RE2JS.compile(source);
    const size = Math.max(1, program.programSize());
    return {
      program,
      test(text) {
        if (size * text.length > maxSteps)
          throw new PatternTooCostly(`matching ${text.length} characters takes too long`);
        return program.test(text);
      },
    };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
