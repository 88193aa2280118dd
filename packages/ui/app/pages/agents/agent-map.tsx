import type { Agent } from '@fairlead/client';
import { Link } from '@tanstack/react-router';
import { Age } from '../../design/age.tsx';
import { Icon } from '../../design/icon.tsx';
import { Status } from '../../design/status.tsx';
import { appearanceOf } from '../../design/status-shapes.tsx';
import { useNow } from '../../lib/clock.ts';
import { t } from '../../messages/index.ts';
import { agentStatus, agentText, certificateText } from './agent-state.ts';
import './agents.css';

/** The hub and the clusters that are connected to it. */
export function AgentMap({ agents }: { readonly agents: readonly Agent[] }) {
  return (
    <div className="agent-map">
      <div className="hub card">
        <Icon name="principal" size={26} />
        <strong>{t.agents.hub}</strong>
        <span className="small muted">
          {agents.filter(({ connected }) => connected).length} / {agents.length}
        </span>
      </div>
      <ul className="agent-cards">
        {agents.map((agent) => (
          <AgentCard key={agent.name} agent={agent} />
        ))}
      </ul>
    </div>
  );
}

function AgentCard({ agent }: { readonly agent: Agent }) {
  const now = useNow();
  const status = agentStatus(agent);
  const certificate = certificateText(agent.certificateExpiry, now);
  return (
    <li className={`agent-card card edge-${appearanceOf(status).tone}${agent.connected ? '' : ' offline'}`}>
      <div className="row">
        <h2>{agent.name}</h2>
        <span className="pill">{agent.mode}</span>
        <span className="spread" />
        <Status status={status} text={agentText(agent)} />
      </div>
      {agent.reason !== undefined && <p className="note">{agent.reason}</p>}
      <dl className="agent-facts small">
        <Fact label={t.agents.applications}>
          <Link to="/applications" search={{ cluster: [agent.name] }}>
            {agent.applications}
          </Link>
        </Fact>
        <Fact label={t.agents.data}>{agent.data ?? '–'}</Fact>
        <Fact label={t.agents.liveAccess}>{agent.liveAccess ? t.agents.works : t.agents.fails}</Fact>
        <Fact label={t.agents.backlog}>{t.agents.backlogText(agent.backlog)}</Fact>
        <Fact label={t.agents.lastSeen}>
          <Age time={agent.lastSeenTime ?? agent.connectedAt} />
        </Fact>
        <Fact label={t.agents.compared}>
          <Age time={agent.comparedAt} />
        </Fact>
        <Fact label={t.agents.certificate}>
          <span className={certificate?.isSoon ? 'tone-warn' : undefined}>{certificate?.text ?? '–'}</span>
        </Fact>
        <Fact label={t.agents.version}>{agent.version ?? '–'}</Fact>
      </dl>
      {(agent.heldDeletions ?? 0) > 0 && <p className="note">{t.agents.held(agent.heldDeletions ?? 0)}</p>}
      {agent.quarantined.map(({ kind, name, reason }) => (
        <p key={`${kind}/${name}`} className="note">
          {kind} {name}: {reason}
        </p>
      ))}
    </li>
  );
}

const Fact = ({ label, children }: { readonly label: string; readonly children: React.ReactNode }) => (
  <div>
    <dt className="muted">{label}</dt>
    <dd>{children}</dd>
  </div>
);
