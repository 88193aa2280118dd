import { formatSelector, type LabelSelector, type Selector, selectorFromObject } from '@fairlead/apimachinery';

type Labels = Readonly<Record<string, string>> | undefined;

/** Pods of some namespaces that match a selector. Two selections with the same id match the same pods. */
export interface Selection {
  readonly id: string;
  readonly namespaces: readonly string[];
  /** Terminating pods do not count. */
  readonly livingOnly: boolean;
  /** A label, as `key=value`, that every selected pod has; absent if there is none. */
  readonly required?: string;
  matches(labels: Labels): boolean;
}

/** An absent selector matches nothing; an empty one matches everything. */
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
