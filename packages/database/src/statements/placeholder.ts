import { type Expression, PostgresQueryCompiler, ValueNode } from 'kysely';

/** Stands for the value of a parameter in a statement that is built once (statement.ts). */
export class Placeholder implements Expression<never> {
  readonly expressionType = undefined;
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
  toOperationNode(): ValueNode {
    return ValueNode.create(this);
  }
}

/**
 * Writes statements for PostgreSQL. All uses of one placeholder are one parameter (`$1`), so its
 * value is sent once and the planner knows that the uses are equal.
 */
export class StatementCompiler extends PostgresQueryCompiler {
  readonly #numbers = new Map<Placeholder, string>();

  override compileQuery(
    ...query: Parameters<PostgresQueryCompiler['compileQuery']>
  ): ReturnType<PostgresQueryCompiler['compileQuery']> {
    this.#numbers.clear();
    return super.compileQuery(...query);
  }

  protected override appendValue(parameter: unknown): void {
    const placeholder = parameter instanceof Placeholder ? parameter : undefined;
    const known = placeholder && this.#numbers.get(placeholder);
    if (known === undefined) super.appendValue(parameter);
    else this.append(known);
    if (placeholder) this.#numbers.set(placeholder, known ?? this.getCurrentParameterPlaceholder());
  }
}
