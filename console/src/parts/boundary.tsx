import { Component, type ReactNode } from 'react';

/** Shows `instead` for children that cannot be drawn. */
export class Boundary extends Component<{ instead: ReactNode; children: ReactNode }> {
  override readonly state = { isBroken: false };
  static getDerivedStateFromError = () => ({ isBroken: true });
  override render() {
    return this.state.isBroken ? this.props.instead : this.props.children;
  }
}
