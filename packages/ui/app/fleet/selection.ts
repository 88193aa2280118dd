import type { ApplicationSummary } from '@fairlead/client';

/** Some Applications, or all that match the filters, loaded or not. */
export type Selection =
  | {
      readonly kind: 'some';
      readonly applications: ReadonlyMap<string, Pick<ApplicationSummary, 'namespace' | 'name'>>;
    }
  | { readonly kind: 'all' };

export const emptySelection: Selection = { kind: 'some', applications: new Map() };

export const isSelected = (selection: Selection, uid: string): boolean =>
  selection.kind === 'all' || selection.applications.has(uid);

/** One more, or one less. All that match becomes only that one's absence: the rest is not known, so the selection begins again with it. */
export function toggledSelection(selection: Selection, { uid, namespace, name }: ApplicationSummary): Selection {
  const applications = new Map(selection.kind === 'all' ? [] : selection.applications);
  if (!applications.delete(uid)) applications.set(uid, { namespace, name });
  return { kind: 'some', applications };
}

export const selectionSize = (selection: Selection, total: number): number =>
  selection.kind === 'all' ? total : selection.applications.size;
