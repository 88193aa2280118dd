import { t } from '../../messages/index.ts';

interface ContainerSelectProps {
  readonly containers: readonly string[];
  readonly value: string;
  readonly onChange: (container: string) => void;
}

export const ContainerSelect = ({ containers, value, onChange }: ContainerSelectProps) => (
  <label className="row small container-select">
    <span className="muted">{t.resource.container}</span>
    <select className="select" value={value} onChange={(event) => onChange(event.target.value)}>
      {containers.map((container) => (
        <option key={container}>{container}</option>
      ))}
    </select>
  </label>
);
