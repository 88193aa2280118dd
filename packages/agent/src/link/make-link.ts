import type { ApiClient } from '@fairlead/kube';
import { namespaceOf, type Side } from '../core/translate.ts';
import { Link, type LinkOptions } from './link.ts';
import { Shelf, type ShelfView } from './shelf.ts';
import type { SideWatch } from './side-watch.ts';

export type LinkSettings = Omit<LinkOptions, 'side' | 'shelf' | 'view'>;

export interface MadeLink {
  readonly link: Link;
  readonly shelf: Shelf;
}

export function makeLink(side: Side, client: ApiClient, watch: SideWatch, settings: LinkSettings): MadeLink {
  const view: ShelfView = {
    get: (kind, name) => watch.get(kind, namespaceOf(side, kind), name),
    list: (kind) => watch.list(kind, namespaceOf(side, kind)),
  };
  const shelf = new Shelf(side, client, view, settings.clock);
  return { link: new Link({ ...settings, side, shelf, view }), shelf };
}
