import { isObject, type JsonObject, listAt } from '@fairlead/apimachinery';
import { countedDeliveries } from './delivery-texts.ts';
import { withDifferenceRules } from './difference-rules.ts';
import { stringify } from './json-text.ts';
import type { Observed } from './live-case.ts';

/** What differs from the recording, in lines. */
export function liveDifferences(one: JsonObject, observed: readonly Observed[]): string[] {
  return listAt(one, 'expected').flatMap((step, i) => {
    const actual = observed[i];
    if (!isObject(step) || !actual) return [`step ${i} was not run`];
    const seen = {
      deliveries: countedDeliveries(actual.deliveries),
      notified: actual.notified ? [...actual.notified] : null,
    };
    const target = withDifferenceRules(
      one,
      i,
      { deliveries: countedDeliveries(listAt(step, 'deliveries').filter(isObject)), notified: step.notified ?? null },
      seen,
    );
    const lines: string[] = [];
    for (const [text, times] of target.deliveries)
      if (seen.deliveries.get(text) !== times)
        lines.push(`step ${i}: expected ${times} × ${text}, got ${seen.deliveries.get(text) ?? 0}`);
    for (const [text, times] of seen.deliveries)
      if (!target.deliveries.has(text)) lines.push(`step ${i}: unexpected ${times} × ${text}`);
    if (stringify(target.notified) !== stringify(seen.notified))
      lines.push(`step ${i}: expected marks ${stringify(target.notified)}, got ${stringify(seen.notified)}`);
    return lines;
  });
}
