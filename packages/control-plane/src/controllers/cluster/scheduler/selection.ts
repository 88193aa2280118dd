import { formatSelector, type LabelSelector, type Selector, selectorFromObject } from '@fairlead/apimachinery';

type Labels = Readonly<Record<string, string>> | undefined;

/** Pods of some namespaces that a selector picks. Two selections with the same id pick the same pods. */
export interface Selection {
  readonly id: string;
  readonly namespaces: readonly string[];
  /** Pods that are being deleted do not count. */
  readonly livingOnly: boolean;
  /** A label, as `key=value`, that every pod it picks has; absent where there is none. */
  readonly required?: string;
  matches(labels: Labels): boolean;
}

/** No selector picks nothing; an empty one picks everything. */
export function compileSelector(
  selector: LabelSelector | null | undefined,
): { text: string; isEmpty: boolean; required?: string } & Pick<Selector, 'matches'> {
  if (!selector) return { text: '-', isEmpty: false, matches: () => false };
  const compiled = selectorFromObject(selector);
  return {
    text: formatSelector(compiled),
    isEmpty: compiled.requirements.length === 0,
    ...requiredLabel(compiled),
    matches: (labels) => compiled.matches(labels),
  };
}

/** Selective labels: few pods share a value. */
const selective = ['pod-template-hash', 'controller-revision-hash'];

function requiredLabel({ requirements }: Selector): { required?: string } {
  const exact = requirements.filter(({ operator }) => operator === '=');
  const chosen = exact.find(({ key }) => selective.includes(key)) ?? exact[0];
  return chosen ? { required: `${chosen.key}=${chosen.values[0]}` } : {};
}

export function selection(
  selector: LabelSelector | null | undefined,
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
