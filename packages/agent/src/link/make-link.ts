import type { ApiClient } from '@fairlead/kube';
import { addressOf, spreads } from '../core/place.ts';
import { isByDestination, namespaceOf, type Side } from '../core/side.ts';
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
    get(kind, name) {
      const at = addressOf(side, kind, name);
      return watch.get(kind, at.namespace, at.name);
    },
    list(kind) {
      if (kind === 'Application' && isByDestination(side)) return watch.listByDestination(side.agent);
      return kind === 'Application' && spreads(side) ? watch.listAll(kind) : watch.list(kind, namespaceOf(side, kind));
    },
  };
  const { parts } = settings;
  const shelf = parts?.shelf?.(side, client, view, settings.clock) ?? new Shelf(side, client, view, settings.clock);
  const ledger = side.role === 'agent' ? { ledger: parts?.ledger ?? new OperationLedger(client, side.namespace) } : {};
  return { link: new Link({ ...settings, ...ledger, side, shelf, view }), shelf };
}
