import { useQuery } from '@tanstack/react-query';
import type { ApplicationDetail } from '../api/read-application.ts';
import { StatusShape } from '../design/status.tsx';
import { appearanceOf } from '../design/status-shapes.tsx';
import { t } from '../messages/index.ts';
import { explainQuery } from './queries.ts';

/** One sentence on why the Application is as it is, and what to do about it. */
export function ExplainCard({ app }: { readonly app: ApplicationDetail }) {
  const { data } = useQuery(explainQuery(app));
  const worst = app.health !== 'Healthy' ? app.health : app.sync;
  const { tone } = appearanceOf(worst);
  const actions = data?.reasons.flatMap((reason) => reason.actions) ?? [];
  // Without the API that explains, the conditions say it.
  const summary = data?.summary ?? app.conditions[0]?.message;
  if (summary === undefined) return null;
  return (
    <section className={`explain card edge-${tone}`} aria-label={t.app.why}>
      <div className={`explain-shape tone-${tone}`}>
        <StatusShape status={worst} size={22} />
      </div>
      <div className="stack explain-text">
        <p className="explain-summary">{summary}</p>
        {data && data.reasons.length > 0 && (
          <details>
            <summary>{t.app.reasons}</summary>
            <ol className="reasons">
              {data.reasons.map(({ subject, why, depth }, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: reasons have no identity, and their order is their meaning
                <li key={place} className={`depth-${Math.min(depth, 4)}`}>
                  {depth === 0 && <strong>{subject}: </strong>}
                  {why}
                </li>
              ))}
            </ol>
          </details>
        )}
        {actions.length > 0 && (
          <div className="small">
            <strong>{t.app.whatToDo}: </strong>
            {actions.map((action) => (
              <span key={action} className="explain-action">
                {action}
              </span>
            ))}
          </div>
        )}
      </div>
    </section>
  );
}
