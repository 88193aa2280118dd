import { useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useMe } from '../api/me.ts';
import { ErrorBoundary } from '../design/error-boundary.tsx';
import { Loading } from '../design/loading.tsx';
import { eventApplier } from '../live/apply-events.ts';
import { follow, onEvents } from '../live/connection.ts';
import { t } from '../messages/index.ts';
import { StaleBanner } from './connection-badge.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { SettingsBanner } from './settings-banner.tsx';
import { Sidebar } from './sidebar.tsx';
import { Topbar } from './topbar.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const Palette = lazy(() => import('./palette.tsx'));

/** What surrounds every page. */
export function Shell() {
  const [open, setOpen] = useState<'palette' | 'help' | 'menu'>();
  const queries = useQueryClient();
  const { username } = useMe();
  const close = (): void => setOpen(undefined);
  useShortcuts({ palette: () => setOpen('palette'), help: () => setOpen('help') });
  useEffect(() => {
    const stop = new AbortController();
    const leave = onEvents(eventApplier(queries));
    void follow(stop.signal);
    return () => {
      stop.abort();
      leave();
    };
  }, [queries]);
  return (
    <div className={`shell${open === 'menu' ? ' menu-open' : ''}`} data-user={username}>
      <a className="skip" href="#content">
        {t.skip}
      </a>
      <Sidebar onNavigate={close} />
      <div className="shell-main">
        <Topbar
          onPalette={() => setOpen('palette')}
          onHelp={() => setOpen('help')}
          onMenu={() => setOpen(open === 'menu' ? undefined : 'menu')}
        />
        <StaleBanner />
        <SettingsBanner />
        <main id="content" tabIndex={-1}>
          <ErrorBoundary>
            <Suspense fallback={<Loading />}>
              <Outlet />
            </Suspense>
          </ErrorBoundary>
        </main>
      </div>
      {open === 'palette' && (
        <Suspense>
          <Palette onClose={close} onHelp={() => setOpen('help')} />
        </Suspense>
      )}
      {open === 'help' && <HelpDialog onClose={close} />}
    </div>
  );
}
