import { RE2JS } from 're2js';

/** A regular expression in the syntax of RE2, which matches in linear time. */
export interface Pattern {
  test(text: string): boolean;
  readonly program: RE2JS;
}

/** The match would exceed the limit of one request: the text and the pattern are both huge. */
export class PatternTooCostly extends Error {}

/** The maximum number of steps of the automaton (size of the program × length of the text) of one match: about a second. */
const maxSteps = 100_000_000;

const compiled = new Map<string, Pattern | Error>();

/** The compiled pattern, or an Error with the message of Go if it is invalid. */
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
