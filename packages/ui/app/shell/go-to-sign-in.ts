import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';

/** The session is over: what was read for it is forgotten, and sign-in returns to the same page. */
export function goToSignIn(router: AnyRouter, queries: QueryClient): void {
  const { pathname, href } = router.state.location;
  if (pathname === '/login') return;
  queries.clear();
  void router.navigate({ to: '/login', search: { to: href, expired: 'true' } });
}
