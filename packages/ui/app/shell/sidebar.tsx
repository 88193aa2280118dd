import { Link } from '@tanstack/react-router';
import { useMay } from '../api/me.ts';
import { Icon } from '../design/icon.tsx';
import { Logo } from '../design/logo.tsx';
import { t } from '../messages/index.ts';
import { navigation } from './navigation.ts';

export function Sidebar({ onNavigate }: { readonly onNavigate: () => void }) {
  const may = useMay();
  return (
    <nav className="sidebar" aria-label={t.nav.label}>
      <Link to="/applications" className="brand" onClick={onNavigate}>
        <Logo />
        <span>{t.product}</span>
      </Link>
      {navigation.map(({ label, items }) => {
        const shown = items.filter(({ needs }) => !needs || may(...needs));
        if (shown.length === 0) return null;
        return (
          <section key={label} aria-label={label}>
            <h2 className="sidebar-label">{label}</h2>
            <ul>
              {shown.map(({ to, label: text, icon }) => (
                <li key={to}>
                  <Link
                    to={to}
                    className="sidebar-link"
                    activeProps={{ className: 'sidebar-link active', 'aria-current': 'page' }}
                    onClick={onNavigate}
                  >
                    <Icon name={icon} />
                    {text}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </nav>
  );
}
