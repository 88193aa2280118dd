import type { ApiClient } from '@fairlead/kube';
import { isByDestination, namespaceOf, type Side } from '../core/translate.ts';
import { Link } from './link.ts';
import type { LinkOptions } from './link-options.ts';
import { OperationLedger } from './operation-ledger.ts';
import { Shelf, type ShelfView } from './shelf.ts';
import type { SideWatch } from './side-watch.ts';

export type LinkSettings = Omit<LinkOptions, 'side' | 'shelf' | 'view' | 'ledger'>;

export interface MadeLink {
  readonly link: Link;
  readonly shelf: Shelf;
}

export function makeLink(side: Side, client: ApiClient, watch: SideWatch, settings: LinkSettings): MadeLink {
  const view: ShelfView = {
    get: (kind, name) => watch.get(kind, namespaceOf(side, kind), name),
    list: (kind) =>
      kind === 'Application' && isByDestination(side)
        ? watch.listByDestination(side.namespace, side.agent)
        : watch.list(kind, namespaceOf(side, kind)),
  };
  const { parts } = settings;
  const shelf = parts?.shelf?.(side, client, view, settings.clock) ?? new Shelf(side, client, view, settings.clock);
  const ledger = side.role === 'agent' ? { ledger: parts?.ledger ?? new OperationLedger(client, side.namespace) } : {};
  return { link: new Link({ ...settings, ...ledger, side, shelf, view }), shelf };
}
