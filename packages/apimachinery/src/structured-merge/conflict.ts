import { type ApiError, apiError } from '../meta/api-error.ts';
import { goQuote } from '../patch/go-format.ts';
import { type FieldSet, has, membersOf, showPath } from './field-set.ts';
import type { Manager, Managers } from './managers.ts';
import type { PathElement } from './path-element.ts';

/** A changed field that another manager owns. */
export interface Conflict {
  readonly manager: Manager;
  /** The sort key of managers in the message. */
  readonly id: string;
  readonly path: readonly PathElement[];
}

/** Internal to an apply; it is converted to a Status. */
export class Conflicts extends Error {
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super('fields are owned by others');
    this.conflicts = conflicts;
  }
}

export const conflictsIn = (managers: Managers, contested: ReadonlyMap<string, FieldSet>): Conflict[] =>
  [...contested].flatMap(([id, fields]) => {
    const manager = managers.get(id);
    return manager ? [...membersOf(fields)].map((path) => ({ id, manager, path })) : [];
  });

export const withoutConflictsIn = (conflicts: readonly Conflict[], allowed: FieldSet): Conflict[] =>
  conflicts.filter(({ path }) => !has(allowed, path));

export function conflictError(conflicts: readonly Conflict[]): ApiError {
  return apiError(409, 'Conflict', conflictMessage(conflicts), {
    causes: conflicts.map(({ manager, path }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${describeManager(manager)}`,
      field: showPath(path),
    })),
  });
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [only] = conflicts;
  if (only && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${describeManager(only.manager)}: ${showPath(only.path)}`;
  }
  const byManager = Map.groupBy(conflicts, ({ id }) => id);
  const lines = [...byManager.keys()].sort().flatMap((id) => {
    const mine = byManager.get(id) ?? [];
    return [
      `conflicts with ${mine[0] ? describeManager(mine[0].manager) : ''}:`,
      ...mine.map(({ path }) => `- ${showPath(path)}`),
    ];
  });
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function describeManager({ name, operation, apiVersion, subresource }: Manager): string {
  const where = subresource ? ` with subresource ${goQuote(subresource)}` : '';
  return `${goQuote(name)}${where}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}
