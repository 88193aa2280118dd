import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
}

export const Empty = ({ icon, title, children }: EmptyProps) => (
  <div className="empty">
    <Icon name={icon} size={32} />
    <p className="empty-title">{title}</p>
    {children}
  </div>
);
