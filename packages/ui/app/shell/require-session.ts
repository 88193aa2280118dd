import { redirect } from '@tanstack/react-router';
import { meQuery } from '../api/me.ts';
import { queryClient } from '../api/query-client.ts';

/** Pages other than sign-in need a session, unless the installation answers everybody. */
export async function requireSession(href: string): Promise<void> {
  const { loggedIn, settings } = await queryClient.ensureQueryData(meQuery);
  if (loggedIn || settings.anonymous) return;
  throw redirect({ to: '/login', search: href === '/' ? {} : { to: href } });
}
