import type { ApiClient } from '@fairlead/kube';
import { hasOtherNamespaces, locationOf } from '../core/link-names.ts';
import { isByDestination, namespaceOf, type Side } from '../core/side.ts';
import { OperationLedger } from './endpoints/operation-ledger.ts';
import { Link } from './link.ts';
import type { LinkOptions } from './link-options.ts';
import { type InformerView, MirrorStore } from './mirror-store.ts';
import type { SideWatch } from './side-watch.ts';

export type LinkSettings = Omit<LinkOptions, 'side' | 'store' | 'view' | 'ledger'>;

export interface MadeLink {
  readonly link: Link;
  readonly store: MirrorStore;
}

export function makeLink(side: Side, client: ApiClient, watch: SideWatch, settings: LinkSettings): MadeLink {
  const view: InformerView = {
    get(kind, name) {
      const at = locationOf(side, kind, name);
      return watch.get(kind, at.namespace, at.name);
    },
    list(kind) {
      if (kind === 'Application' && isByDestination(side)) return watch.listByDestination(side.agent);
      return kind === 'Application' && hasOtherNamespaces(side)
        ? watch.listAll(kind)
        : watch.list(kind, namespaceOf(side, kind));
    },
  };
  const { parts } = settings;
  const store =
    parts?.store?.(side, client, view, settings.clock) ?? new MirrorStore(side, client, view, settings.clock);
  const ledger = side.role === 'agent' ? { ledger: parts?.ledger ?? new OperationLedger(client, side.namespace) } : {};
  return { link: new Link({ ...settings, ...ledger, side, store, view }), store };
}
