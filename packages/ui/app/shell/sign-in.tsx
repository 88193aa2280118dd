import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { send } from '../api/argocd.ts';
import { meQuery } from '../api/me.ts';
import { Logo } from '../design/logo.tsx';
import { useTitle } from '../design/page.tsx';
import { Problem } from '../design/problem.tsx';
import { localPath } from '../lib/local-path.ts';
import { t } from '../messages/index.ts';
import './sign-in.css';

const route = getRouteApi('/login');

export function SignIn() {
  useTitle(t.signIn.submit);
  const { settings } = useSuspenseQuery(meQuery).data;
  const { to, expired } = route.useSearch();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const target = localPath(to);
  const signIn = useMutation({
    mutationFn: () => send('POST', 'session', { username, password }),
    onSuccess: async () => {
      queries.clear();
      await navigate({ href: target, replace: true });
    },
  });
  return (
    <main className="sign-in">
      <div className="sign-in-card card">
        <Logo size={52} />
        <h1>{t.signIn.title}</h1>
        <p className="muted">{t.signIn.tagline}</p>
        {expired && <p className="note">{t.signIn.expired}</p>}
        {signIn.error && <Problem error={signIn.error} />}
        {settings.ssoPath && (
          <a
            className={`button ${settings.passwordSignIn ? '' : 'primary'}`}
            href={`${settings.ssoPath}?return_url=${encodeURIComponent(location.origin + target)}`}
          >
            {settings.loginButtonText ?? t.signIn.sso(settings.ssoName ?? '')}
          </a>
        )}
        {settings.ssoPath && settings.passwordSignIn && <p className="sign-in-or muted">{t.signIn.or}</p>}
        {settings.passwordSignIn ? (
          <form
            className="stack"
            onSubmit={(event) => {
              event.preventDefault();
              signIn.mutate();
            }}
          >
            <label className="field">
              <span>{t.signIn.username}</span>
              <input
                className="input"
                name="username"
                autoComplete="username"
                required
                // biome-ignore lint/a11y/noAutofocus: the page has only this form
                autoFocus
                value={username}
                onChange={(event) => setUsername(event.target.value)}
              />
            </label>
            <label className="field">
              <span>{t.signIn.password}</span>
              <input
                className="input"
                name="password"
                type="password"
                autoComplete="current-password"
                required
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            </label>
            <button type="submit" className="button primary" disabled={signIn.isPending}>
              {t.signIn.submit}
            </button>
          </form>
        ) : (
          !settings.ssoPath && <p className="note">{t.signIn.noPassword}</p>
        )}
        <p className="muted small">{settings.version}</p>
      </div>
    </main>
  );
}
