import type { Json, JsonObject, Status } from '@fairlead/apimachinery';
import { failed, type Outcome, passed } from './outcome.ts';
import { describeDifference, difference, unfold } from './placeholders.ts';
import type { Workbench } from './workbench.ts';

interface ValidationCase {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query?: Readonly<Record<string, string>>;
    /** Present: the stored object is sent, with the fields of `input` merged in. */
    readonly body?: string;
  };
  readonly given?: readonly JsonObject[];
  readonly input: JsonObject;
  readonly expected: {
    readonly code: number;
    readonly reason: string | null;
    readonly message: string;
    readonly details: Status['details'] | null;
  };
}

/** Sends an object that a real server rejects, and compares the rejection: first semantically, then exactly. */
export async function runValidation(bench: Workbench, test: ValidationCase): Promise<Outcome> {
  for (const given of test.given ?? []) await bench.give(unfold(given), true);
  const { method, path, query, body } = test.request;
  const input = unfold(test.input);
  const sent = body === undefined ? input : merged((await bench.call('GET', path)).body, input);
  const parameters = query ? `?${new URLSearchParams(query)}` : '';
  const reply = await bench.call(method, `${path}${parameters}`, sent);
  bench.made(reply.body);
  const status = reply.body as unknown as Status;
  const { code, reason, message, details } = test.expected;
  const sense = difference(
    { code, reason, ...senseOf(details ?? undefined) },
    { code: reply.code, reason: status.reason ?? null, ...senseOf(status.details) },
  );
  if (sense) return failed(`${describeDifference(sense)}\n  message ${status.message}`);
  const words = difference(
    { message, causes: wordsOf(details ?? undefined) },
    { message: status.message ?? '', causes: wordsOf(status.details) },
  );
  return words ? { passed: true, exact: false, detail: `wording ${describeDifference(words)}` } : passed;
}

const senseOf = (details: Status['details']): JsonObject => ({
  kind: details?.kind ?? null,
  name: details?.name ?? null,
  group: details?.group ?? null,
  causes: (details?.causes ?? []).map(({ reason = null, field = null }) => ({ reason, field })),
});

const wordsOf = (details: Status['details']): Json => (details?.causes ?? []).map(({ message = '' }) => message);

/** Objects are merged, anything else is replaced. */
function merged(stored: Json, input: Json): Json {
  const isObject = (value: Json): value is JsonObject =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject(stored) || !isObject(input)) return input;
  const result: JsonObject = { ...stored };
  for (const [key, value] of Object.entries(input)) {
    result[key] = Object.hasOwn(stored, key) ? merged(stored[key]!, value) : value;
  }
  return result;
}
