import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { t } from '../messages/index.ts';
import { Icon } from './icon.tsx';

interface DialogProps {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
  readonly wide?: boolean;
  readonly side?: boolean;
  readonly subtitle?: ReactNode;
}

/** A modal dialog; with `side`, a drawer. */
export function Dialog({ title, subtitle, onClose, children, footer, wide = false, side = false }: DialogProps) {
  return (
    <Primitive.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="dialog-overlay" />
        <Primitive.Content className={side ? 'drawer' : `dialog${wide ? ' wide' : ''}`} aria-describedby={undefined}>
          <div className="dialog-head">
            <div className="dialog-title">
              <Primitive.Title asChild>
                <h2>{title}</h2>
              </Primitive.Title>
              {subtitle}
            </div>
            <span className="spread" />
            <Primitive.Close className="button quiet icon" aria-label={t.close}>
              <Icon name="close" />
            </Primitive.Close>
          </div>
          {side ? children : <div className="dialog-body">{children}</div>}
          {footer && <div className="dialog-foot">{footer}</div>}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
