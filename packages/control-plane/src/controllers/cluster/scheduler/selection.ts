import type { LabelSelector as SelectorObject } from '../../../metadata/names.ts';
import { formatSelector, type LabelSelector, selectorFromObject } from '../../../selectors/label-selector.ts';

type Labels = Readonly<Record<string, string>> | undefined;

/** Pods of some namespaces that a selector picks. Two selections with the same id pick the same pods. */
export interface Selection {
  readonly id: string;
  readonly namespaces: readonly string[];
  /** Pods that are being deleted do not count. */
  readonly livingOnly: boolean;
  matches(labels: Labels): boolean;
}

/** No selector picks nothing; an empty one picks everything. */
export function compileSelector(
  selector: SelectorObject | null | undefined,
): { text: string; isEmpty: boolean } & Pick<LabelSelector, 'matches'> {
  if (!selector) return { text: '-', isEmpty: false, matches: () => false };
  const compiled = selectorFromObject(selector as Parameters<typeof selectorFromObject>[0]);
  return {
    text: formatSelector(compiled),
    isEmpty: compiled.requirements.length === 0,
    matches: (labels) => compiled.matches(labels),
  };
}

export function selection(
  selector: SelectorObject | null | undefined,
  namespaces: readonly string[],
  livingOnly: boolean,
): Selection {
  const { text, matches } = compileSelector(selector);
  const sorted = [...new Set(namespaces)].sort();
  return {
    id: `${livingOnly ? 'living' : 'all'}|${sorted.join(',')}|${text}`,
    namespaces: sorted,
    livingOnly,
    matches,
  };
}
