import type { FlowHop } from '@fairlead/client';
import type { ReactNode } from 'react';
import { Icon } from '../../design/icon.tsx';
import { FlowHopCard } from './flow-hop.tsx';

interface FlowColumnProps {
  readonly title: string;
  readonly direction: 'down' | 'up';
  readonly hops: readonly FlowHop[];
  /** Where the column begins, above its hops. */
  readonly children?: ReactNode;
}

/** Hops with lines between them. A line is solid as far as something has passed. */
export function FlowColumn({ title, direction, hops, children }: FlowColumnProps) {
  return (
    <section className={`flow-column ${direction} ends-${hops.at(-1)?.state ?? 'unknown'}`} aria-label={title}>
      <h2>
        <span className="flow-arrow" aria-hidden="true">
          <Icon name="down" size={14} />
        </span>
        {title}
      </h2>
      <ol>
        {children && (
          <li className="flow-begin">
            {children}
            {hops[0] && <div className={`flow-line ${lineState(hops[0])}`} aria-hidden="true" />}
          </li>
        )}
        {hops.map((hop, place) => {
          const next = hops[place + 1];
          // Downward, what a hop has passed on decides about the line below it; upward, what has come from below.
          const source = direction === 'down' ? hop : next;
          return (
            <li key={`${hop.id}-${hop.direction}`}>
              <FlowHopCard hop={hop} />
              {next && source && <div className={`flow-line ${lineState(source)}`} aria-hidden="true" />}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const lineState = ({ state }: FlowHop): string =>
  state === 'ok' ? 'passed' : state === 'working' ? 'moving' : 'stopped';
