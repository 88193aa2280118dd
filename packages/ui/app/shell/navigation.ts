import type { IconName } from '../design/icon.tsx';
import { t } from '../messages/index.ts';

interface NavigationItem {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** The right that the page needs; without it, everybody sees it. */
  readonly needs?: readonly [resource: string, action: string];
}

interface NavigationGroup {
  readonly label: string;
  readonly items: readonly NavigationItem[];
}

/** The pages, as navigation and command palette list them. */
export const navigation: readonly NavigationGroup[] = [
  {
    label: t.nav.deliver,
    items: [
      { to: '/applications', label: t.nav.applications, icon: 'apps' },
      { to: '/applicationsets', label: t.nav.applicationSets, icon: 'sets', needs: ['applicationsets', 'get'] },
      { to: '/tenants', label: t.nav.tenants, icon: 'tenant' },
      { to: '/images', label: t.nav.images, icon: 'image' },
    ],
  },
  {
    label: t.nav.run,
    items: [
      { to: '/agents', label: t.nav.agents, icon: 'agent', needs: ['clusters', 'get'] },
      { to: '/syncs', label: t.nav.operations, icon: 'sync' },
      { to: '/queues', label: t.nav.queues, icon: 'queue', needs: ['clusters', 'get'] },
    ],
  },
  {
    label: t.nav.configure,
    items: [
      { to: '/projects', label: t.nav.projects, icon: 'project', needs: ['projects', 'get'] },
      { to: '/repositories', label: t.nav.repositories, icon: 'repository', needs: ['repositories', 'get'] },
      { to: '/clusters', label: t.nav.clusters, icon: 'cluster', needs: ['clusters', 'get'] },
      { to: '/accounts', label: t.nav.accounts, icon: 'account', needs: ['accounts', 'update'] },
      { to: '/settings', label: t.nav.settings, icon: 'settings' },
    ],
  },
];
