import { at, objectsAt, textAt } from '@fairlead/apimachinery';
import { limits } from '@fairlead/kube';
import { invalidArgument, RpcError } from '../../rpc/rpc-error.ts';
import { endpoints } from '../api/endpoints.ts';
import { bulkActions } from '../api/installation-shapes.ts';
import { type Filter, readFilter } from '../applications/filter.ts';
import { QueryValues } from '../http/query-values.ts';

export type BulkAction = (typeof bulkActions)[number];

export interface BulkTarget {
  readonly namespace: string;
  readonly name: string;
}

/** What is asked for, and of which Applications. */
export interface Bulk {
  readonly action: BulkAction;
  readonly prune: boolean;
  readonly hard: boolean;
  readonly of: Filter | readonly BulkTarget[];
}

/** The body is valid by its schema. Throws an RpcError that names the field that is wrong. */
export function readBulk(body: unknown): Bulk {
  const [filter, applications] = [at(body, 'filter'), at(body, 'applications')];
  if ((filter === undefined) === (applications === undefined)) {
    throw invalidArgument('the body must have either filter or applications');
  }
  const targets = objectsAt(body, 'applications').map((one) => ({
    namespace: textAt(one, 'namespace'),
    name: textAt(one, 'name'),
  }));
  if (targets.length > limits.fleetBulk) throw tooMany('applications lists', targets.length);
  const action = bulkActions.find((one) => one === textAt(body, 'action')) ?? 'refresh';
  const [prune, hard] = [at(body, 'prune') === true, at(body, 'hard') === true];
  if (prune && action !== 'sync') throw invalidArgument('prune needs the action sync');
  if (hard && action !== 'refresh') throw invalidArgument('hard needs the action refresh');
  return { action, prune, hard, of: filter === undefined ? distinct(targets) : filterOf(textAt(body, 'filter')) };
}

export const tooMany = (what: string, count: number): RpcError =>
  invalidArgument(`${what} ${count} Applications: at most ${limits.fleetBulk} can be changed at once`);

/** A filter has the parameters of a list. */
function filterOf(text: string): Filter {
  try {
    return readFilter(QueryValues.read(new URLSearchParams(text), endpoints.getFacets.query));
  } catch (error) {
    if (error instanceof RpcError) throw new RpcError(error.code, `filter: ${error.message}`);
    throw error;
  }
}

const distinct = (targets: readonly BulkTarget[]): BulkTarget[] => [
  ...new Map(targets.map((target) => [`${target.namespace}/${target.name}`, target])).values(),
];
