import { qualifiedName } from '@fairlead/apimachinery';
import type { Draft } from '../resource.ts';

const standard = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

/** Custom resources may have any finalizer; names that could conflict give a warning when they are added. */
export function finalizerWarnings(draft: Draft, old: Draft | undefined): string[] {
  const known = new Set(old?.metadata.finalizers ?? []);
  const added = [...new Set(draft.metadata.finalizers ?? [])].filter((name) => !known.has(name)).sort();
  return added.flatMap((name) => {
    const warning = (text: string) => `metadata.finalizers: ${JSON.stringify(name)}: ${text}`;
    const warnings = qualifiedName(name).map(warning);
    if (!name.includes('/') && !standard.has(name))
      warnings.push(
        warning(
          `prefer a domain-qualified finalizer name ${name.includes('.') ? 'including a path (/) ' : ''}to avoid accidental conflicts with other finalizer writers`,
        ),
      );
    return warnings;
  });
}
