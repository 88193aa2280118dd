import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { applicationSearch } from './application/search.ts';
import { fleetSearch } from './fleet/search.ts';
import { parseSearch, stringifySearch, textParam } from './lib/search-params.ts';
import { NotFound } from './shell/not-found.tsx';
import { PageProblem } from './shell/page-problem.tsx';
import { requireSession } from './shell/require-session.ts';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ notFoundComponent: NotFound, errorComponent: PageProblem });

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search: Record<string, unknown>): { to?: string; expired?: string } => ({
    to: textParam(search, 'to'),
    expired: textParam(search, 'expired'),
  }),
  component: lazyRouteComponent(() => import('./shell/sign-in.tsx'), 'SignIn'),
});

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  beforeLoad: ({ location }) => requireSession(location.href),
  notFoundComponent: NotFound,
});

const index = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/applications' });
  },
});

const fleet = createRoute({
  getParentRoute: () => shell,
  path: '/applications',
  validateSearch: fleetSearch,
  component: lazyRouteComponent(() => import('./fleet/fleet-page.tsx'), 'FleetPage'),
});

const create = createRoute({
  getParentRoute: () => shell,
  path: '/new-application',
  component: lazyRouteComponent(() => import('./pages/create/create-application.tsx'), 'CreateApplication'),
});

const application = createRoute({
  getParentRoute: () => shell,
  path: '/applications/$namespace/$name',
  validateSearch: applicationSearch,
  component: lazyRouteComponent(() => import('./application/application-page.tsx'), 'ApplicationPage'),
});

const page = <Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => shell, path, component });

const routeTree = root.addChildren([
  login,
  shell.addChildren([
    index,
    fleet,
    create,
    application,
    page(
      '/agents',
      lazyRouteComponent(() => import('./pages/agents.tsx'), 'AgentsPage'),
    ),
    page(
      '/tenants',
      lazyRouteComponent(() => import('./pages/tenants.tsx'), 'TenantsPage'),
    ),
    page(
      '/images',
      lazyRouteComponent(() => import('./pages/images.tsx'), 'ImagesPage'),
    ),
    page(
      '/syncs',
      lazyRouteComponent(() => import('./pages/operations.tsx'), 'OperationsPage'),
    ),
    page(
      '/queues',
      lazyRouteComponent(() => import('./pages/queues.tsx'), 'QueuesPage'),
    ),
    page(
      '/applicationsets',
      lazyRouteComponent(() => import('./pages/applicationsets/application-sets.tsx'), 'ApplicationSetsPage'),
    ),
    page(
      '/projects',
      lazyRouteComponent(() => import('./pages/projects/projects.tsx'), 'ProjectsPage'),
    ),
    page(
      '/repositories',
      lazyRouteComponent(() => import('./pages/repositories/repositories.tsx'), 'RepositoriesPage'),
    ),
    page(
      '/clusters',
      lazyRouteComponent(() => import('./pages/clusters/clusters.tsx'), 'ClustersPage'),
    ),
    page(
      '/accounts',
      lazyRouteComponent(() => import('./pages/accounts/accounts.tsx'), 'AccountsPage'),
    ),
    page(
      '/settings',
      lazyRouteComponent(() => import('./pages/settings.tsx'), 'SettingsPage'),
    ),
  ]),
]);

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: PageProblem,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
