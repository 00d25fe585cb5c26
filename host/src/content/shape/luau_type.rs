//! Writes a shape as a type of Luau, for editors.

use super::Shape;

impl Shape {
    /// Returns the type of Luau that has at least the values of this shape. Bounds and collections are left out.
    pub fn luau_type(&self) -> String {
        match self {
            Shape::Any => "any".to_owned(),
            Shape::Text | Shape::Id | Shape::Name | Shape::Ref(_) => "string".to_owned(),
            Shape::Number(_) | Shape::Whole(_) => "number".to_owned(),
            Shape::Decimal(_) | Shape::Dice => "(number | string)".to_owned(),
            Shape::Bool => "boolean".to_owned(),
            Shape::Function => "((...any) -> ...any)".to_owned(),
            Shape::OneOf(choices) => union(choices.iter().map(|choice| format!("{choice:?}"))),
            Shape::List(item) => format!("{{ {} }}", item.luau_type()),
            Shape::Map(item) => format!("{{ [string]: {} }}", item.luau_type()),
            Shape::Record(record) => {
                let fields = record.fields.iter().map(|field| {
                    let optional = if field.optional { "?" } else { "" };
                    format!("{}: {}{optional}", field.key, field.shape.luau_type())
                });
                let others = record.others.as_ref();
                let others = others.map(|item| format!("[string]: {}", item.luau_type()));
                let parts: Vec<String> = fields.chain(others).collect();
                format!("{{ {} }}", parts.join(", "))
            }
            Shape::Union(shapes) => union(shapes.iter().map(Shape::luau_type)),
        }
    }
}

fn union(types: impl Iterator<Item = String>) -> String {
    let types: Vec<String> = types.collect();
    format!("({})", types.join(" | "))
}

#[cfg(test)]
mod tests {
    use crate::content::shape::parse_shape;
    use crate::content::{TreeLimits, read_yaml};
    use crate::diag::Source;

    #[test]
    fn a_shape_is_a_type_of_luau() {
        let text = "{ name: string, 'age?': integer 1..9, run: function, \
                    way: 'one of up, down', 'more?': list of string or number, '*': map of boolean }";
        let source = Source::new("shape", text);
        let (node, _) = read_yaml(&source, TreeLimits::CONTENT);
        let (shape, wrong) = parse_shape(&node.unwrap(), &source);
        assert_eq!(wrong, []);
        assert_eq!(
            shape.luau_type(),
            "{ name: string, age: number?, run: ((...any) -> ...any), way: (\"up\" | \"down\"), \
             more: ({ string } | number)?, [string]: { [string]: boolean } }"
        );
    }
}
