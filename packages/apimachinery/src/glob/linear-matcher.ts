/** The condition for one character. */
export type Accepts = (character: string) => boolean;

/** A pattern as a tree: sequences of characters, repetition of one character, alternatives. Both kinds of globs are translated to it. */
export type Pattern =
  | { readonly kind: 'one'; readonly accepts: Accepts }
  | { readonly kind: 'many'; readonly accepts: Accepts }
  | { readonly kind: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'either'; readonly options: readonly Pattern[] };

type Instruction =
  | { readonly op: 'accept'; readonly accepts: Accepts }
  | { readonly op: 'split'; readonly targets: number[] }
  | { readonly op: 'end' };

/**
 * Compiles a pattern to a matcher whose time is at most the length of the pattern times the length of the text: it follows all paths
 * through the pattern at once (Thompson's construction), where a JavaScript regular expression backtracks.
 */
export function linearMatcher(pattern: Pattern): (text: string) => boolean {
  const program: Instruction[] = [];
  compile(pattern, program);
  program.push({ op: 'end' });
  const seen = new Int32Array(program.length);
  let round = 0;

  /** Adds the instructions that are reachable without a character. */
  const follow = (start: number, states: number[]): void => {
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const instruction = program[at];
      if (instruction === undefined || seen[at] === round) continue;
      seen[at] = round;
      if (instruction.op === 'split') open.push(...instruction.targets);
      else states.push(at);
    }
  };

  return (text) => {
    round += 1;
    let states: number[] = [];
    follow(0, states);
    for (const character of text) {
      const next: number[] = [];
      round += 1;
      for (const at of states) {
        const instruction = program[at];
        if (instruction?.op === 'accept' && instruction.accepts(character)) follow(at + 1, next);
      }
      if (next.length === 0) return false;
      states = next;
    }
    return states.includes(program.length - 1);
  };
}

function compile(pattern: Pattern, program: Instruction[]): void {
  switch (pattern.kind) {
    case 'one':
      program.push({ op: 'accept', accepts: pattern.accepts });
      return;
    case 'many': {
      const at = program.length;
      program.push({ op: 'split', targets: [at + 1, at + 3] });
      program.push({ op: 'accept', accepts: pattern.accepts });
      program.push({ op: 'split', targets: [at] });
      return;
    }
    case 'sequence':
      for (const part of pattern.parts) compile(part, program);
      return;
    case 'either': {
      const starts: number[] = [];
      const ends: number[][] = [];
      program.push({ op: 'split', targets: starts });
      for (const option of pattern.options) {
        starts.push(program.length);
        compile(option, program);
        const targets: number[] = [];
        ends.push(targets);
        program.push({ op: 'split', targets });
      }
      for (const targets of ends) targets.push(program.length);
    }
  }
}
