import { Age } from '../../design/age.tsx';
import { Status } from '../../design/status.tsx';
import { t } from '../../messages/index.ts';
import type { TreeItem } from '../tree/tree-model.ts';

export const ResourceSummary = ({ item }: { readonly item: TreeItem }) => (
  <div className="stack">
    {item.healthMessage !== '' && <p className="note">{item.healthMessage}</p>}
    <dl className="facts">
      <dt>{t.tree.kind}</dt>
      <dd>
        {item.kind} <span className="muted">{[item.group, item.version].filter((part) => part !== '').join('/')}</span>
      </dd>
      <dt>{t.tree.namespace}</dt>
      <dd>{item.namespace || '–'}</dd>
      <dt>{t.resource.health}</dt>
      <dd>{item.health === '' ? '–' : <Status status={item.health} />}</dd>
      <dt>{t.resource.syncStatus}</dt>
      <dd>{item.sync === '' ? t.resource.noTarget : <Status status={item.sync} />}</dd>
      <dt>{t.resource.created}</dt>
      <dd>{item.createdAt === '' ? '–' : <Age time={item.createdAt} />}</dd>
      {item.info.map(({ name, value }) => (
        <Fact key={name} name={name} value={value} />
      ))}
      {item.images.length > 0 && <Fact name={t.resource.images} value={item.images.join(', ')} />}
      {item.parents.length > 0 && (
        <Fact
          name={t.resource.parents}
          value={item.parents.map((parent) => parent.replace(/^[^:]*:/u, '')).join(', ')}
        />
      )}
      <dt>{t.resource.uid}</dt>
      <dd className="mono">{item.uid || '–'}</dd>
    </dl>
  </div>
);

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);
