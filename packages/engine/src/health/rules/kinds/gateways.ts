import {
  any,
  condition,
  degraded,
  every,
  field,
  healthy,
  matches,
  not,
  present,
  progressing,
  type Rule,
  some,
  stale,
  staleCondition,
  suspended,
  unobserved,
} from '../rule.ts';
import type { Rules } from '../rule-table.ts';
import { byCondition, byWordSaying } from '../shapes.ts';

const refused = ['Accepted', 'ResolvedRefs'];
const inside = { at: 'conditions' };
const current = { at: 'conditions', current: true };

/** A parent with an older observed generation may be one that the route no longer has. */
const route: Rule = [
  degraded(
    'Parent {owner.parentRef.name}: {it.message}',
    some('status.parents', condition(refused, 'False', current), present('it.message')),
  ),
  degraded(
    'Parent {owner.parentRef.name}: Failed condition: {it.type}',
    some('status.parents', condition(refused, 'False', current)),
  ),
  progressing(
    'Parent {owner.parentRef.name}: {it.message}',
    some('status.parents', condition('Programmed', ['False', 'Unknown'], current)),
  ),
  healthy('{kind} is healthy', some('status.parents', condition('Accepted', 'True', current))),
  progressing('Waiting for {kind} status'),
];

const policyOfAncestors: Rule = [
  progressing('Waiting for {kind} status', not(every('status.ancestors', present('conditions')))),
  progressing(
    'Waiting for Ancestor {owner.ancestorRef.name} to update {kind} status',
    some('status.ancestors', some('conditions', stale('observedGeneration'))),
  ),
  degraded(
    'Ancestor {owner.ancestorRef.name}: {it.message}',
    some('status.ancestors', condition(refused, 'False', inside)),
  ),
  degraded(
    'Ancestor {it.ancestorRef.name}: {kind} is not accepted',
    some('status.ancestors', not(condition('Accepted', 'True', inside))),
  ),
  healthy('{kind} is healthy'),
];

/** States are strings, or the numbers of the former enum; one per watching namespace, or one in total. */
const gloo: Rule = [
  degraded('{it.reason}', some('status.statuses', field('state', 'Rejected', 2, 'Warning', 3))),
  degraded('{status.reason}', field('status.state', 'Rejected', 2, 'Warning', 3)),
  suspended(
    'The resource has not yet been validated',
    any(some('status.statuses', field('state', 'Pending', 0)), field('status.state', 'Pending', 0)),
  ),
  healthy(
    'The resource has been validated',
    any(every('status.statuses', field('state', 'Accepted', 1)), field('status.state', 'Accepted', 1)),
  ),
  progressing('Update in progress'),
];

const contour: Rule = [
  progressing('Waiting for status', staleCondition()),
  ...byCondition('Valid', 'Waiting for status'),
];

export const gateways: Rules = {
  'gateway.networking.k8s.io/Gateway': [
    degraded('{it.message}', condition(refused, 'False', { current: true })),
    degraded('Listener: {it.message}', some('status.listeners', condition(refused, 'False', current))),
    progressing('{it.message}', condition('Programmed', ['False', 'Unknown'], { current: true })),
    progressing(
      'Listener: {it.message}',
      some('status.listeners', condition('Programmed', ['False', 'Unknown'], current)),
    ),
    healthy('Gateway is healthy', condition(['Accepted', 'Programmed'], 'True', { current: true })),
    progressing('Waiting for Gateway status'),
  ],
  'gateway.networking.k8s.io/GatewayClass': [
    progressing('Waiting for GatewayClass status', staleCondition('Accepted')),
    progressing('{it.message}', condition('Accepted', 'Unknown')),
    ...byCondition('Accepted', 'Waiting for GatewayClass status'),
  ],
  'gateway.networking.k8s.io/HTTPRoute': route,
  'gateway.networking.k8s.io/GRPCRoute': route,
  'gateway.networking.k8s.io/TLSRoute': route,
  'gateway.networking.k8s.io/TCPRoute': route,
  'gateway.networking.k8s.io/UDPRoute': route,
  'gateway.networking.k8s.io/BackendTLSPolicy': policyOfAncestors,
  'microgateway.airlock.com/*': [healthy('{kind} is healthy', not(matches('kind', /Policy$/))), ...policyOfAncestors],
  'gateway.solo.io/Gateway': gloo,
  'gateway.solo.io/MatchableHttpGateway': gloo,
  'gateway.solo.io/MatchableTcpGateway': gloo,
  'gateway.solo.io/RouteOption': gloo,
  'gateway.solo.io/RouteTable': gloo,
  'gateway.solo.io/VirtualHostOption': gloo,
  'gateway.solo.io/VirtualService': gloo,
  'gloo.solo.io/Proxy': gloo,
  'gloo.solo.io/Settings': gloo,
  'gloo.solo.io/Upstream': gloo,
  'gloo.solo.io/UpstreamGroup': gloo,
  'install.istio.io/IstioOperator': [
    ...byWordSaying('status.status', {
      HEALTHY: ['Healthy', 'Component is healthy.'],
      UPDATING: ['Progressing', 'Component is being updated to a different version.'],
      RECONCILING: [
        'Progressing',
        'Controller has started but not yet completed reconciliation loop for the component.',
      ],
      ACTION_REQUIRED: ['Suspended', 'Component needs an action of the user.'],
      ERROR: ['Degraded', 'Component is in an error state.'],
    }),
    progressing('Waiting for Istio Control Plane'),
  ],
  'projectcontour.io/ExtensionService': contour,
  'projectcontour.io/HTTPProxy': [
    healthy('{$.status.description}', condition('Valid', 'True', { current: true })),
    healthy(
      'HTTPProxy inclusions cannot be health checked',
      present('spec.includes'),
      some('status.conditions', field('status', 'False'), not(unobserved('observedGeneration'))),
    ),
    degraded('{$.status.description}', condition('Valid', 'False', { current: true })),
    progressing('{status.description}', not(present('status.conditions')), present('status.currentStatus')),
    progressing('Waiting for status'),
  ],
};
