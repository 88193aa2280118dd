/** `DIR/*.json`: how real Go renders templates, reads and writes YAML and JSON, and compares versions. One group per file. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { CaseResult, SuiteOptions } from '../../../scripts/conformance.ts';
import { goJson, goPrettyJson, goRawJson } from '../src/go-json/index.ts';
import { readYaml, writeYaml } from '../src/go-yaml/index.ts';
import { semverCompare } from '../src/semver/index.ts';
import { runExpressions } from './go-template/expressions.ts';

interface Case {
  readonly name: string;
  readonly error?: boolean;
  readonly message?: string;
  readonly [field: string]: unknown;
}

/** The input of a case, and its expected output; `error` cases only have to fail. */
type Run = (theCase: Case) => { readonly ours: unknown; readonly theirs: unknown };

const groups: Readonly<Record<string, Run>> = {
  'yaml-write': ({ value, expected }) => ({ ours: writeYaml(value), theirs: expected }),
  'yaml-read': ({ text, expected }) => ({ ours: readYaml(text as string), theirs: expected }),
  'go-json': ({ value, expected, pretty, raw }) => ({
    ours: [goJson(value), goPrettyJson(value), goRawJson(value)],
    theirs: [expected, pretty, raw],
  }),
  semver: ({ constraint, version, expected }) => ({
    ours: semverCompare(constraint as string, version as string),
    theirs: expected,
  }),
};

export async function* suite({ dir, only }: SuiteOptions): AsyncIterable<CaseResult> {
  for (const [group, run] of Object.entries(groups)) {
    const file = join(dir, `${group}.json`);
    if (!existsSync(file)) continue;
    for (const theCase of JSON.parse(readFileSync(file, 'utf8')) as Case[]) {
      if (!only || `${group}/${theCase.name}`.includes(only))
        yield { group, name: theCase.name, ...check(run, theCase) };
    }
  }
  const expressions = join(dir, 'expressions.json');
  if (existsSync(expressions)) yield* runExpressions(expressions, only);
}

function check(run: Run, theCase: Case): Pick<CaseResult, 'passed' | 'exact' | 'detail'> {
  let result: ReturnType<Run>;
  try {
    result = run(theCase);
  } catch (error) {
    const { message } = error as Error;
    if (theCase.error) return { passed: true, exact: message === theCase.message };
    return { passed: false, detail: `failed: ${message}` };
  }
  const { ours, theirs } = result;
  if (theCase.error)
    return { passed: false, detail: `should fail: ${theCase.message}\nours   ${JSON.stringify(ours)}` };
  const passed = isDeepStrictEqual(ours, theirs);
  if (passed) return { passed, exact: true };
  return { passed, detail: `ours   ${JSON.stringify(ours)}\ntheirs ${JSON.stringify(theirs)}` };
}
