import type { ButtonHTMLAttributes } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: IconName;
  readonly label: string;
}

/** A button whose name is for screen readers and its title. */
export function IconButton({ icon, label, className = 'quiet', ...rest }: IconButtonProps) {
  return (
    <button type="button" className={`button icon ${className}`} aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </button>
  );
}
