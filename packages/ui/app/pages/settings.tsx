import { useMe } from '../api/me.ts';
import { DataTable } from '../design/data-table.tsx';
import { Page } from '../design/page.tsx';
import { Segments } from '../design/segments.tsx';
import { setTheme, themes, useTheme } from '../design/theme.ts';
import { t } from '../messages/index.ts';

/** The installation, the caller and its rights, and the appearance of the page. */
export function SettingsPage() {
  const { username, groups, can, settings } = useMe();
  const theme = useTheme();
  const rights = Object.entries(
    Object.groupBy(
      Object.entries(can).filter(([, isAllowed]) => isAllowed),
      ([right]) => right.split(':')[0] ?? '',
    ),
  ).map(([resource, of = []]) => ({ resource, actions: of.map(([right]) => right.split(':')[1]).join(', ') }));
  return (
    <Page title={t.settings.title}>
      <section className="card padded stack">
        <h2>{t.settings.appearance}</h2>
        <div>
          <Segments
            label={t.theme.label}
            value={theme}
            options={themes.map((value) => ({ value, label: t.theme[value] }))}
            onChange={setTheme}
          />
        </div>
      </section>
      <section className="card padded stack">
        <h2>{t.settings.installation}</h2>
        <dl className="facts">
          <dt>{t.settings.version}</dt>
          <dd>{settings.version}</dd>
          <dt>{t.settings.url}</dt>
          <dd>{settings.url ?? location.origin}</dd>
          <dt>{t.settings.cluster}</dt>
          <dd>{t.settings[settings.cluster]}</dd>
          <dt>{t.settings.namespace}</dt>
          <dd>{settings.namespace ?? '–'}</dd>
          <dt>{t.settings.anonymous}</dt>
          <dd>{settings.anonymous ? t.yes : t.no}</dd>
          <dt>{t.settings.sso}</dt>
          <dd>{settings.ssoPath ? (settings.ssoName ?? t.yes) : t.no}</dd>
          <dt>{t.settings.user}</dt>
          <dd>{username || '–'}</dd>
          <dt>{t.settings.groups}</dt>
          <dd>{groups.join(', ') || '–'}</dd>
          <dt>{t.settings.api}</dt>
          <dd>
            <a href="/api/fairlead/v1/openapi.json">/api/fairlead/v1/openapi.json</a>
          </dd>
        </dl>
      </section>
      <section className="stack">
        <h2>{t.settings.rights}</h2>
        <DataTable
          label={t.settings.rights}
          items={rights}
          keyOf={({ resource }) => resource}
          columns={[
            { title: t.settings.resource, cell: ({ resource }) => resource },
            { title: t.settings.actions, cell: ({ actions }) => actions },
          ]}
        />
      </section>
    </Page>
  );
}
