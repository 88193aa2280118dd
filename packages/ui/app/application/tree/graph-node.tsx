import { memo } from 'react';
import type { ApplicationDetail } from '../../api/read-application.ts';
import { Icon } from '../../design/icon.tsx';
import { StatusShape } from '../../design/status.tsx';
import { appearanceOf } from '../../design/status-shapes.tsx';
import { t } from '../../messages/index.ts';
import { type GraphNode, rootId } from './graph-model.ts';
import { KindBadge } from './kind-badge.tsx';
import type { TreeItem } from './tree-model.ts';

interface GraphNodeProps {
  readonly node: GraphNode;
  readonly place: { readonly x: number; readonly y: number };
  readonly app: ApplicationDetail;
  readonly onOpen: (id: string) => void;
  readonly onToggle: (id: string) => void;
}

export const GraphNodeView = memo(
  function GraphNodeView({ node, place, app, onOpen, onToggle }: GraphNodeProps) {
    const { content } = node;
    const style = { transform: `translate(${place.x}px, ${place.y}px)` };
    if (content.kind === 'app') {
      return (
        <div className="graph-node app" style={style}>
          <span className="kind-badge" aria-hidden="true">
            app
          </span>
          <span className="graph-text">
            <strong className="truncate">{app.name}</strong>
            <span className="muted small">{app.project}</span>
          </span>
          <Shapes health={app.health} sync={app.sync} />
        </div>
      );
    }
    if (content.kind === 'host') {
      return (
        <div className="graph-node host" style={style}>
          <Icon name="cluster" size={18} />
          <span className="graph-text">
            <strong className="truncate" title={content.host}>
              {content.host}
            </strong>
            <span className="muted small">{t.network.outside}</span>
          </span>
        </div>
      );
    }
    if (content.kind === 'group') {
      return (
        <button type="button" className="graph-node group" style={style} onClick={() => onToggle(node.id)}>
          <KindBadge kind={content.of} />
          <span className="graph-text">
            <strong>{t.tree.grouped(content.items.length, content.of)}</strong>
            <span className="muted small">{t.tree.expand}</span>
          </span>
          <Shapes health={content.items[0]?.health ?? ''} sync="" />
        </button>
      );
    }
    const { item, isCollapsed } = content;
    return (
      <div className={`graph-node edge-${toneOf(item)}`} style={style}>
        <button type="button" className="graph-open" onClick={() => onOpen(item.id)}>
          <KindBadge kind={item.kind} />
          <span className="graph-text">
            <strong className="truncate">{item.name}</strong>
            <span className="muted small truncate">
              {[item.kind, infoText(item)].filter((text) => text !== '').join(' · ')}
            </span>
          </span>
          <Shapes health={item.health} sync={item.sync} />
        </button>
        {item.children.length > 0 && (
          <button
            type="button"
            className="graph-toggle"
            aria-expanded={!isCollapsed}
            aria-label={isCollapsed ? t.tree.expandNode(item.name) : t.tree.collapseNode(item.name)}
            onClick={() => onToggle(item.id)}
          >
            {isCollapsed ? item.children.length : <Icon name="minus" size={10} />}
          </button>
        )}
      </div>
    );
  },
  (a, b) => a.node === b.node && a.place === b.place && (a.node.id !== rootId || a.app === b.app),
);

export const infoText = ({ info }: Pick<TreeItem, 'info'>): string =>
  info
    .filter(({ name }) => name === 'Containers' || name === 'Status Reason' || name === 'Revision')
    .map(({ value }) => value)
    .join(' ');

const toneOf = ({ health, sync }: TreeItem): string =>
  appearanceOf(health !== '' && health !== 'Healthy' ? health : sync === 'OutOfSync' ? sync : health || 'None').tone;

const Shapes = ({ health, sync }: { readonly health: string; readonly sync: string }) => (
  <span className="graph-shapes">
    {health !== '' && (
      <span className={`tone-${appearanceOf(health).tone}`} title={health}>
        <StatusShape status={health} />
        <span className="visually-hidden">{health}</span>
      </span>
    )}
    {sync !== '' && (
      <span className={`tone-${appearanceOf(sync).tone}`} title={sync}>
        <StatusShape status={sync} />
        <span className="visually-hidden">{sync}</span>
      </span>
    )}
  </span>
);
