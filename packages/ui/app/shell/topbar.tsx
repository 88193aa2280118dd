import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMe } from '../api/me.ts';
import { Icon } from '../design/icon.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { Menu } from '../design/menu.tsx';
import { setTheme, themes, useTheme } from '../design/theme.ts';
import { t } from '../messages/index.ts';
import { ConnectionBadge } from './connection-badge.tsx';
import { signOut } from './sign-out.ts';

interface TopbarProps {
  readonly onPalette: () => void;
  readonly onHelp: () => void;
  readonly onMenu: () => void;
}

export function Topbar({ onPalette, onHelp, onMenu }: TopbarProps) {
  const me = useMe();
  const theme = useTheme();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leave = async (): Promise<void> => {
    await signOut();
    queries.clear();
    await navigate({ to: '/login', search: {} });
  };
  return (
    <header className="topbar">
      <IconButton icon="menu" label={t.nav.open} className="quiet menu-button" onClick={onMenu} />
      <button type="button" className="palette-button" onClick={onPalette}>
        <Icon name="search" size={14} />
        <span>{t.palette.open}</span>
        <kbd>{/Mac/u.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      <span className="spread" />
      <ConnectionBadge />
      <IconButton icon="help" label={t.help.open} onClick={onHelp} className="quiet help-button" />
      <Menu
        label={t.theme.label}
        trigger={<IconButton icon="theme" label={t.theme.label} />}
        items={themes.map((name) => ({
          label: t.theme[name],
          icon: <Icon name={name === theme ? 'check' : 'minus'} size={14} />,
          onSelect: () => setTheme(name),
        }))}
      />
      {me.loggedIn ? (
        <Menu
          label={me.username}
          trigger={
            <button type="button" className="button quiet user-button">
              <Icon name="account" />
              <span className="truncate">{me.username}</span>
            </button>
          }
          items={[{ label: t.signIn.signOut, onSelect: () => void leave() }]}
        />
      ) : (
        <button type="button" className="button" onClick={() => void navigate({ to: '/login', search: {} })}>
          {t.signIn.submit}
        </button>
      )}
    </header>
  );
}
