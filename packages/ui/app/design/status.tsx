import { appearanceOf } from './status-shapes.tsx';

interface StatusProps {
  readonly status: string;
  /** In place of the name of the status. */
  readonly text?: string;
  readonly pill?: boolean;
  /** Only the shape; the name is for screen readers. */
  readonly iconOnly?: boolean;
  readonly size?: number;
}

/** A status by shape, colour and text. */
export function Status({ status, text = status, pill = false, iconOnly = false, size = 14 }: StatusProps) {
  const { tone } = appearanceOf(status);
  return (
    <span className={`status tone-${tone}${pill ? ' pill' : ''}`} title={iconOnly ? text : undefined}>
      <StatusShape status={status} size={size} />
      <span className={iconOnly ? 'visually-hidden' : undefined}>{text}</span>
    </span>
  );
}

export function StatusShape({ status, size = 14 }: { readonly status: string; readonly size?: number }) {
  const { shape, spins } = appearanceOf(status);
  return (
    <svg aria-hidden="true" className={spins ? 'spin' : undefined} width={size} height={size} viewBox="0 0 16 16">
      {shape}
    </svg>
  );
}
